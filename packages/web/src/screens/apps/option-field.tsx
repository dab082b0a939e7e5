import type { Channel, CommandOption } from "@parley/client";
import { useCallback } from "react";
import { useShallow } from "zustand/react/shallow";
import { visibleChannels } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { personName } from "../../state/people/bot-name.js";
import { texts } from "../../texts/texts.js";
import { Choice, TextField } from "../../ui/forms/field.js";
import { ComboField, type Offer } from "./combo-field.js";

const foundMax = 8;
const none: readonly Channel[] = [];

/** The field of an option of a command, by its type. */
export function OptionField({
  option,
  serverId,
  error,
  complete,
}: {
  option: CommandOption;
  serverId: string;
  error: string | undefined;
  /** The bot's offers for an unfinished text. */
  complete: (text: string) => Promise<readonly Offer[]>;
}) {
  const { name, description: hint, type, required, choices, autocomplete } = option;
  const label = required ? name : texts.apps.optional(name);
  const field = { label, hint, error, name, required };
  if (choices !== null) {
    return <Select {...field} entries={choices.map((choice) => [String(choice.value), choice.name])} />;
  }
  switch (type) {
    case "boolean":
      return (
        <Select
          {...field}
          entries={[
            ["true", texts.apps.yes],
            ["false", texts.apps.no],
          ]}
        />
      );
    case "user":
      return <MemberField {...field} serverId={serverId} />;
    case "channel":
      return <ChannelSelect {...field} serverId={serverId} />;
    case "role":
      return <RoleSelect {...field} serverId={serverId} />;
    default:
      if (autocomplete) return <ComboField {...field} isFree find={complete} />;
      return (
        <TextField {...field} error={error ?? null} dir="auto" inputMode={type === "string" ? "text" : "decimal"} />
      );
  }
}

interface FieldProps {
  label: string;
  hint?: string;
  error: string | undefined;
  name: string;
  required: boolean;
}

function Select({ entries, error, ...props }: FieldProps & { entries: readonly (readonly [string, string])[] }) {
  return (
    <Choice {...props} error={error ?? null} defaultValue="">
      <option value="" />
      {entries.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Choice>
  );
}

function ChannelSelect({ serverId, ...props }: FieldProps & { serverId: string }) {
  const channels = useAppState(useShallow((state) => visibleChannels(state, serverId) ?? none));
  const entries = channels.map(({ id, name }) => [id, `#${name}`] as const);
  return <Select {...props} entries={entries} />;
}

function RoleSelect({ serverId, ...props }: FieldProps & { serverId: string }) {
  const roles = useAppState((state) => state.roles[serverId]) ?? [];
  return <Select {...props} entries={roles.map(({ id, name }) => [id, name] as const)} />;
}

function MemberField({ serverId, ...props }: FieldProps & { serverId: string }) {
  return <ComboField {...props} isFree={false} find={useFindMembers(serverId)} />;
}

/** Returns a function that looks for members of a server. */
export function useFindMembers(serverId: string): (text: string) => Promise<Offer[]> {
  const { members } = useApp();
  return useCallback(
    async (text) => {
      const typed = text.trim().replace(/^@/, "");
      const query = typed === "" ? { limit: foundMax } : { limit: foundMax, q: typed };
      const found = await members.list(serverId, query);
      return found.map(({ user_id, username, display_name, avatar_url, nickname }) => ({
        value: user_id,
        label: personName({ username, display_name }),
        avatar: { name: username, url: avatar_url },
        ...(nickname === null ? {} : { note: nickname }),
      }));
    },
    [members, serverId],
  );
}
