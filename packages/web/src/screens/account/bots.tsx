import type { Bot } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { textOf, textOrNull } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { type Data, useData } from "../../ui/data/use-data.js";
import { ActionForm } from "../../ui/forms/action-form.js";
import { TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Row, Tag } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { Secret } from "../../ui/look/secret.js";
import { showTime } from "../../ui/look/show.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import { BotPicture } from "./bot-picture.js";
import { BotSettings } from "./bot-settings.js";

/** A secret that is shown once: the token of a bot, or the secret of its URL for interactions. */
type Shown = { bot: Bot; token: string; discord_token: string } | { bot: Bot; secret: string };

/** The bots of the account: tokens, logs and revocation. */
export function BotsSection() {
  const { client } = useApp();
  const labels = texts.account.bots;
  const bots = useData(useCallback(async (signal) => (await client.bots.list({ signal })).bots, [client]));
  const [shown, setShown] = useState<Shown | null>(null);
  const create = useAction(async (form: FormData) => {
    const made = await client.bots.create({ name: textOf(form, "name"), description: textOrNull(form, "description") });
    setShown(made);
    bots.set((all) => [...all.filter(({ id }) => id !== made.bot.id), made.bot]);
  });
  return (
    <>
      <p>{labels.explanation}</p>
      {shown === null ? null : (
        <Panel title={shown.bot.name}>
          {"token" in shown ? (
            <>
              <Secret label={labels.token} hint={labels.tokenHint} value={shown.token} />
              <Secret label={labels.discordToken} hint={labels.discordTokenHint} value={shown.discord_token} />
            </>
          ) : (
            <Secret label={labels.urlSecret} hint={labels.urlSecretHint} value={shown.secret} />
          )}
        </Panel>
      )}
      <Panel title={labels.title}>
        <AsyncRows data={bots} label={labels.title} empty={labels.none}>
          {(bot) => <BotRow key={bot.id} bot={bot} show={setShown} set={bots.set} />}
        </AsyncRows>
      </Panel>
      <Panel title={labels.create}>
        <ActionForm action={create} submit={labels.create}>
          <TextField label={labels.name} name="name" maxLength={64} required />
          <TextField label={labels.description} name="description" maxLength={512} />
        </ActionForm>
      </Panel>
    </>
  );
}

function BotRow({ bot, show, set }: { bot: Bot; show: (shown: Shown) => void; set: Data<Bot[]>["set"] }) {
  const { client } = useApp();
  const labels = texts.account.bots;
  const [isLogOpen, setLogOpen] = useState(false);
  const [areSettingsOpen, setSettingsOpen] = useState(false);
  return (
    <Row
      title={
        <>
          {bot.name}
          {bot.revoked_at === null ? null : <Tag tone="danger">{labels.revoked}</Tag>}
        </>
      }
      detail={bot.description ?? showTime(bot.created_at)}
      actions={
        <>
          {bot.revoked_at === null ? <BotPicture bot={bot} /> : null}
          <Button kind="quiet" onClick={() => setLogOpen(true)}>
            {labels.log}
          </Button>
          <Dialog open={isLogOpen} onOpenChange={setLogOpen} title={labels.logOf(bot.name)} wide>
            <BotLog botId={bot.id} />
          </Dialog>
          {areSettingsOpen ? (
            <BotSettings
              bot={bot}
              onSaved={(saved, secret) => {
                set((all) => all.map((known) => (known.id === saved.id ? saved : known)));
                if (secret !== null) show({ bot: saved, secret });
              }}
              onClose={() => setSettingsOpen(false)}
            />
          ) : null}
          {bot.revoked_at === null ? (
            <RowMenu
              name={bot.name}
              actions={[
                { label: labels.settings, onSelect: () => setSettingsOpen(true) },
                {
                  label: labels.newToken,
                  question: {
                    title: labels.newTokenTitle,
                    explanation: labels.newTokenExplanation,
                    onConfirm: async () => show(await client.bots.regenerateToken(bot.id)),
                  },
                },
                {
                  label: labels.revoke,
                  danger: true,
                  question: {
                    title: labels.revokeTitle(bot.name),
                    explanation: labels.revokeExplanation,
                    onConfirm: async () => {
                      await client.bots.revoke(bot.id);
                      const revoked_at = new Date().toISOString();
                      set((all) => all.map((known) => (known.id === bot.id ? { ...known, revoked_at } : known)));
                    },
                  },
                },
              ]}
            />
          ) : null}
        </>
      }
    />
  );
}

function BotLog({ botId }: { botId: string }) {
  const { client } = useApp();
  const labels = texts.account.bots;
  const log = useData(useCallback(async (signal) => (await client.bots.log(botId, { signal })).logs, [client, botId]));
  return (
    <AsyncRows data={log} label={labels.log} empty={labels.noLog}>
      {(entry) => (
        <Row
          key={`${entry.timestamp} ${entry.event}`}
          title={labels.events[entry.event]}
          detail={`${showTime(entry.timestamp)}${entry.detail === null ? "" : ` · ${entry.detail}`}`}
        />
      )}
    </AsyncRows>
  );
}
