import type { Message, Poll as PollData } from "@parley/client";
import { Check } from "lucide-react";
import { useCallback } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { messageSince } from "../../../state/conversations/message-events.js";
import { formats, texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/data/async-content.js";
import { useAction } from "../../../ui/data/use-action.js";
import { showTime } from "../../../ui/look/show.js";
import styles from "./poll.module.css";

/** A poll with its votes, and buttons to vote. */
export function Poll({ poll, message }: { poll: PollData; message: Message }) {
  const labels = texts.conversation.poll;
  const { client, store } = useApp();
  const vote = useAction(
    useCallback(
      async (optionId: string) => {
        await store.change(
          () => {
            const chosen = choicesWith(poll, optionId);
            const [first] = chosen;
            if (first === undefined) return client.polls.takeVoteBack(poll.id);
            return client.polls.vote(
              poll.id,
              poll.multiple === undefined ? { option_id: first } : { option_ids: chosen },
            );
          },
          (state, updated, since) => messageSince(state, message, (known) => ({ ...known, poll: updated }), since),
        );
      },
      [client, store, poll, message],
    ),
  );
  const own = choicesOf(poll);
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
            aria-pressed={own.includes(id)}
            disabled={vote.isBusy || poll.ended === true}
            onClick={() => void vote.run(id)}
          >
            <span className={styles.text}>
              {own.includes(id) ? <Check size={15} aria-hidden /> : null}
              <bdi>{text}</bdi>
            </span>
            <span className="visually-hidden">, {labels.votes(votes)}, </span>
            <span className={styles.votes}>{formats.percent(share)}</span>
          </button>
        );
      })}
      <p className={styles.total}>
        {[
          labels.votes(poll.total_votes),
          ...(poll.multiple === undefined || poll.multiple === 1 ? [] : [labels.upTo(poll.multiple)]),
          ...(poll.ends_at === undefined ? [] : [poll.ended ? labels.ended : labels.ends(showTime(poll.ends_at))]),
        ].join(" · ")}
      </p>
      <ErrorNote error={vote.error} />
    </section>
  );
}

const choicesOf = ({ user_vote, user_votes }: PollData): readonly string[] =>
  user_votes ?? (user_vote === null ? [] : [user_vote]);

/** The choices once an option was pressed: one more or less, where only one is allowed another one. */
function choicesWith(poll: PollData, optionId: string): string[] {
  const own = choicesOf(poll);
  if (own.includes(optionId)) return own.filter((id) => id !== optionId);
  return (poll.multiple ?? 1) === 1 ? [optionId] : [...own, optionId];
}
