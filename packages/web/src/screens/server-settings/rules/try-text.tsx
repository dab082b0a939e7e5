import type { AutomodRule } from "@parley/client";
import { useState } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/data/async-content.js";
import { onForm, textOf } from "../../../ui/data/form.js";
import { useAction } from "../../../ui/data/use-action.js";
import { TextArea } from "../../../ui/forms/field.js";
import { Panel } from "../../../ui/forms/settings-page.js";
import { Button } from "../../../ui/look/button.js";
import { markTerms } from "./mark-terms.js";

interface Tried {
  content: string;
  matches: readonly { rule_id: string; term: string | null }[];
}

/** Which rules a text would match, with the matched parts marked. */
export function TryText({ serverId, rules }: { serverId: string; rules: readonly AutomodRule[] }) {
  const { client } = useApp();
  const { own } = texts.serverSettings.automod;
  const [tried, setTried] = useState<Tried | null>(null);
  const test = useAction(async (form: FormData) => {
    const content = textOf(form, "content");
    setTried({ content, ...(await client.automod.testRules(serverId, { content })) });
  });
  const nameOf = (id: string) => rules.find((rule) => rule.id === id)?.name ?? "";
  return (
    <Panel title={own.test}>
      <form onSubmit={onForm((form) => test.run(form))} onChange={() => setTried(null)}>
        <TextArea label={own.testText} name="content" maxLength={4_000} required dir="auto" />
        <ErrorNote error={test.error} />
        <Button type="submit" kind="quiet" disabled={test.isBusy}>
          {own.tryIt}
        </Button>
      </form>
      <output>
        {tried === null ? null : (
          <>
            <p dir="auto">
              {markTerms(
                tried.content,
                tried.matches.flatMap(({ term }) => term ?? []),
              ).map((part) => (part.isMarked ? <mark key={part.at}>{part.text}</mark> : part.text))}
            </p>
            {tried.matches.length === 0 ? <p>{own.noMatch}</p> : null}
            {tried.matches.map(({ rule_id, term }) => (
              <p key={rule_id}>{[own.matched(nameOf(rule_id)), ...(term === null ? [] : [term])].join(" · ")}</p>
            ))}
          </>
        )}
      </output>
    </Panel>
  );
}
