import type { AutomodRule, AutomodRuleAction } from "@parley/client";
import { automodTriggerTypes, ruleLimits } from "@parley/contracts";
import { useState } from "react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/data/async-content.js";
import { numberOrNull, onForm, textOf, textOrNull } from "../../../ui/data/form.js";
import { useAction } from "../../../ui/data/use-action.js";
import { Checkbox, Choice, TextField } from "../../../ui/forms/field.js";
import { Button } from "../../../ui/look/button.js";
import { TriggerFields, triggerOf } from "./trigger-fields.js";

type Type = AutomodRule["trigger"]["type"];
type ActionType = AutomodRuleAction["type"];

const actionTypes: readonly ActionType[] = ["block", "delete", "flag", "timeout", "kick", "ban"];
const ofNames: readonly ActionType[] = ["flag", "kick", "ban"];

/** Creates a rule, or edits one. */
export function RuleForm({
  serverId,
  rule,
  onSaved,
}: {
  serverId: string;
  rule?: AutomodRule;
  onSaved: (rule: AutomodRule) => void;
}) {
  const { client } = useApp();
  const { own, triggers } = texts.serverSettings.automod;
  const roles = useAppState((state) => state.roles[serverId]) ?? [];
  const channels = useAppState((state) => state.channels);
  const channelIds = useAppState((state) => state.channelIds[serverId]) ?? [];
  const [type, setType] = useState<Type>(rule?.trigger.type ?? "words");
  const save = useAction(async (form: FormData) => {
    const fields = {
      name: textOf(form, "name"),
      trigger: triggerOf(form, type),
      exempt_role_ids: idsOf(form, "role"),
      exempt_channel_ids: idsOf(form, "channel"),
      actions: actionsOf(form, type),
    };
    onSaved(
      rule === undefined
        ? await client.automod.addRule(serverId, fields)
        : await client.automod.updateRule(serverId, rule.id, fields),
    );
  });
  return (
    <form onSubmit={onForm((form) => save.run(form))}>
      <TextField label={own.name} name="name" maxLength={ruleLimits.name} required defaultValue={rule?.name} />
      <Choice
        label={own.trigger}
        value={type}
        onChange={({ currentTarget }) =>
          setType(automodTriggerTypes.find((known) => known === currentTarget.value) ?? "words")
        }
      >
        {automodTriggerTypes.map((known) => (
          <option key={known} value={known}>
            {triggers[known]}
          </option>
        ))}
      </Choice>
      <TriggerFields key={type} type={type} value={rule?.trigger} />
      <ActionFields type={type} actions={rule?.actions} />
      <Exemptions
        label={own.exemptRoles}
        name="role"
        options={roles.map(({ id, name }) => ({ id, name }))}
        chosen={rule?.exempt_role_ids}
      />
      {type === "name" ? null : (
        <Exemptions
          label={own.exemptChannels}
          name="channel"
          options={channelIds.map((id) => ({ id, name: channels[id]?.name ?? id }))}
          chosen={rule?.exempt_channel_ids}
        />
      )}
      <ErrorNote error={save.error} />
      <Button type="submit" disabled={save.isBusy}>
        {texts.common.save}
      </Button>
    </form>
  );
}

function ActionFields({ type, actions = [] }: { type: Type; actions: AutomodRuleAction[] | undefined }) {
  const labels = texts.serverSettings.automod;
  const [chosen, choose] = useState<readonly ActionType[]>(
    actions.length === 0 ? ["block"] : actions.map((action) => action.type),
  );
  const block = actions.find((action) => action.type === "block");
  const timeout = actions.find((action) => action.type === "timeout");
  return (
    <fieldset>
      <legend>{labels.own.actionsOf}</legend>
      {actionTypes
        .filter((action) => type !== "name" || ofNames.includes(action))
        .map((action) => (
          <Checkbox
            key={action}
            label={labels.actions[action]}
            name="action"
            value={action}
            checked={chosen.includes(action)}
            onChange={({ currentTarget }) =>
              choose(currentTarget.checked ? [...chosen, action] : chosen.filter((known) => known !== action))
            }
          />
        ))}
      {chosen.includes("block") && type !== "name" ? (
        <TextField
          label={labels.own.message}
          name="message"
          maxLength={ruleLimits.message}
          defaultValue={block?.type === "block" ? block.message : undefined}
        />
      ) : null}
      {chosen.includes("timeout") && type !== "name" ? (
        <TextField
          label={labels.own.minutes}
          name="minutes"
          type="number"
          min={1}
          max={10_080}
          required
          defaultValue={timeout?.type === "timeout" ? timeout.minutes : 10}
        />
      ) : null}
    </fieldset>
  );
}

function Exemptions({
  label,
  name,
  options,
  chosen = [],
}: {
  label: string;
  name: string;
  options: readonly { id: string; name: string }[];
  chosen: readonly string[] | undefined;
}) {
  if (options.length === 0) return null;
  return (
    <fieldset>
      <legend>{label}</legend>
      {options.map((option) => (
        <Checkbox
          key={option.id}
          label={option.name}
          name={name}
          value={option.id}
          defaultChecked={chosen.includes(option.id)}
        />
      ))}
    </fieldset>
  );
}

const idsOf = (form: FormData, name: string): string[] =>
  form.getAll(name).flatMap((id) => (typeof id === "string" ? [id] : []));

function actionsOf(form: FormData, trigger: Type): AutomodRuleAction[] {
  const chosen = form.getAll("action");
  return actionTypes
    .filter((type) => chosen.includes(type) && (trigger !== "name" || ofNames.includes(type)))
    .map((type) => {
      const message = textOrNull(form, "message");
      if (type === "block") return message === null ? { type } : { type, message };
      return type === "timeout" ? { type, minutes: numberOrNull(form, "minutes") ?? 0 } : { type };
    });
}
