import type { Message, Poll as PollData } from "@parley/client";
import { Check } from "lucide-react";
import { useCallback } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { messageSince } from "../../../state/conversations/message-events.js";
import { formats, texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/data/async-content.js";
import { useAction } from "../../../ui/data/use-action.js";
import styles from "./poll.module.css";

/** A poll with its votes, and buttons to vote. */
export function Poll({ poll, message }: { poll: PollData; message: Message }) {
  const labels = texts.conversation.poll;
  const { client, store } = useApp();
  const vote = useAction(
    useCallback(
      async (optionId: string) => {
        await store.change(
          () => client.polls.vote(poll.id, { option_id: optionId }),
          (state, updated, since) => messageSince(state, message, (known) => ({ ...known, poll: updated }), since),
        );
      },
      [client, store, poll.id, message],
    ),
  );
  return (
    <section className={styles.poll} aria-label={poll.question}>
      <h3 className={styles.question} dir="auto">
        {poll.question}
      </h3>
      {poll.options.map(({ id, text, votes }) => {
        const share = poll.total_votes === 0 ? 0 : votes / poll.total_votes;
        return (
          <button
            key={id}
            type="button"
            className={styles.option}
            style={{ "--share": `${100 * share}%` }}
            aria-pressed={poll.user_vote === id}
            disabled={vote.isBusy}
            onClick={() => void vote.run(id)}
          >
            <span className={styles.text}>
              {poll.user_vote === id ? <Check size={15} aria-hidden /> : null}
              <bdi>{text}</bdi>
            </span>
            <span className="visually-hidden">, {labels.votes(votes)}, </span>
            <span className={styles.votes}>{formats.percent(share)}</span>
          </button>
        );
      })}
      <p className={styles.total}>{labels.votes(poll.total_votes)}</p>
      <ErrorNote error={vote.error} />
    </section>
  );
}
