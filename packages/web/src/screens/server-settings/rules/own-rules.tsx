import type { AutomodRule } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { useSettingsUpdates } from "../../../state/app/use-settings-updates.js";
import { texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/data/async-content.js";
import { useAction } from "../../../ui/data/use-action.js";
import { type Data, useData } from "../../../ui/data/use-data.js";
import { Panel } from "../../../ui/forms/settings-page.js";
import { AsyncRows } from "../../../ui/lists/async-rows.js";
import { Row, Tag } from "../../../ui/lists/rows.js";
import { Button } from "../../../ui/look/button.js";
import { Dialog } from "../../../ui/overlays/dialog.js";
import { RowMenu } from "../../../ui/overlays/row-menu.js";
import { RuleForm } from "./rule-form.js";
import { TryText } from "./try-text.js";

/** The server's own rules, and their result for a text. */
export function OwnRules({ serverId }: { serverId: string }) {
  const { client } = useApp();
  const { own } = texts.serverSettings.automod;
  const [isOpen, setOpen] = useState(false);
  const rules = useData(useCallback((signal) => client.automod.rules(serverId, { signal }), [client, serverId]));
  useSettingsUpdates(serverId, "automod", rules.reload);
  return (
    <>
      <Panel title={own.title} hint={own.explanation}>
        <AsyncRows data={rules} label={own.title} empty={own.none}>
          {(rule) => <RuleRow key={rule.id} rule={rule} set={rules.set} />}
        </AsyncRows>
        <Button kind="quiet" onClick={() => setOpen(true)}>
          {own.create}
        </Button>
        <Dialog open={isOpen} onOpenChange={setOpen} title={own.create} wide>
          <RuleForm
            serverId={serverId}
            onSaved={(rule) => {
              setOpen(false);
              rules.set((all) => withRule(all, rule));
            }}
          />
        </Dialog>
      </Panel>
      <TryText serverId={serverId} rules={rules.value ?? []} />
    </>
  );
}

/** The event of the change may have been quicker than its answer. */
const withRule = (all: AutomodRule[], rule: AutomodRule) =>
  all.some(({ id }) => id === rule.id) ? all.map((known) => (known.id === rule.id ? rule : known)) : [...all, rule];

function RuleRow({ rule, set }: { rule: AutomodRule; set: Data<AutomodRule[]>["set"] }) {
  const { client } = useApp();
  const { own, actions, triggers } = texts.serverSettings.automod;
  const [isOpen, setOpen] = useState(false);
  const { id, server_id: serverId } = rule;
  const toggle = useAction(async () => {
    const changed = await client.automod.updateRule(serverId, id, { enabled: !rule.enabled });
    set((all) => withRule(all, changed));
  });
  const does = rule.actions.map(({ type }) => actions[type]);
  return (
    <Row
      title={
        <>
          <bdi>{rule.name}</bdi>
          <Tag tone={rule.enabled ? "success" : "danger"}>{rule.enabled ? own.on : own.off}</Tag>
        </>
      }
      detail={[triggers[rule.trigger.type], ...does].join(" · ")}
      actions={
        <>
          <ErrorNote error={toggle.error} />
          <Button kind="quiet" disabled={toggle.isBusy} onClick={() => toggle.run()}>
            {rule.enabled ? own.turnOff : own.turnOn}
          </Button>
          <RowMenu
            name={rule.name}
            actions={[
              { label: own.edit(rule.name), onSelect: () => setOpen(true) },
              {
                label: own.delete,
                danger: true,
                question: {
                  title: own.deleteTitle(rule.name),
                  explanation: own.deleteExplanation,
                  onConfirm: async () => {
                    await client.automod.deleteRule(serverId, id);
                    set((all) => all.filter((known) => known.id !== id));
                  },
                },
              },
            ]}
          />
          <Dialog open={isOpen} onOpenChange={setOpen} title={own.edit(rule.name)} wide>
            <RuleForm
              serverId={serverId}
              rule={rule}
              onSaved={(changed) => {
                setOpen(false);
                set((all) => withRule(all, changed));
              }}
            />
          </Dialog>
        </>
      }
    />
  );
}
