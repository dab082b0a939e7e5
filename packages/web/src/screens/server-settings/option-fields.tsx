import type { Role } from "@parley/client";
import { onboardingLimits, permissionBits } from "@parley/contracts";
import { useMemo } from "react";
import { useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { Checkbox, TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import styles from "./server-settings.module.css";
import type { OptionDraft } from "./welcome-draft.js";

const none: readonly never[] = [];
/** A role with one of these is refused (docs/protocol/communities.md#34.5), as is one with any right. */
const moderating =
  permissionBits.MANAGE_MESSAGES |
  permissionBits.MANAGE_CHANNELS |
  permissionBits.MANAGE_ROLES |
  permissionBits.MANAGE_SERVER |
  permissionBits.MUTE_MEMBERS |
  permissionBits.KICK_MEMBERS |
  permissionBits.BAN_MEMBERS |
  permissionBits.ADMINISTRATOR;
const isHarmless = ({ permissions, rights = [] }: Role) => (permissions & moderating) === 0 && rights.length === 0;

/** One option of a question, with the roles that it gives and the channels that it opens. */
export function OptionFields({
  serverId,
  number,
  option,
  onChange,
  onRemove,
}: {
  serverId: string;
  number: number;
  option: OptionDraft;
  onChange: (option: OptionDraft) => void;
  /** Null for the only option. */
  onRemove: (() => void) | null;
}) {
  const labels = texts.serverSettings.welcome;
  const roles = useAppState((state) => state.roles[serverId]) ?? none;
  const channelIds = useAppState((state) => state.channelIds[serverId]) ?? none;
  const channels = useAppState((state) => state.channels);
  const change = (part: Partial<OptionDraft>) => onChange({ ...option, ...part });
  const offeredRoles = useMemo(() => roles.filter(isHarmless).map(({ id, name }) => ({ id, name })), [roles]);
  const offeredChannels = channelIds.map((id) => ({ id, name: `#${channels[id]?.name ?? ""}` }));
  return (
    <fieldset className={styles.option}>
      <legend>{labels.option(number)}</legend>
      <div className={styles.columns}>
        <TextField
          label={labels.optionTitle}
          required
          maxLength={onboardingLimits.optionTitle}
          value={option.title}
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
        <TextField
          label={labels.emoji}
          maxLength={onboardingLimits.emoji}
          value={option.emoji}
          onChange={(event) => change({ emoji: event.currentTarget.value })}
        />
      </div>
      <Boxes
        label={labels.gives(option.roleIds.length)}
        offered={offeredRoles}
        chosen={option.roleIds}
        max={onboardingLimits.rolesOfOption}
        onChange={(roleIds) => change({ roleIds })}
      />
      <Boxes
        label={labels.opens(option.channelIds.length)}
        offered={offeredChannels}
        chosen={option.channelIds}
        max={onboardingLimits.channelsOfOption}
        onChange={(ids) => change({ channelIds: ids })}
      />
      {onRemove === null ? null : (
        <Button kind="quiet" onClick={onRemove}>
          {labels.removeOption(number)}
        </Button>
      )}
    </fieldset>
  );
}

/** A folded list of boxes; some may be ticked. */
function Boxes({
  label,
  offered,
  chosen,
  max,
  onChange,
}: {
  label: string;
  offered: readonly { id: string; name: string }[];
  chosen: readonly string[];
  max: number;
  onChange: (chosen: string[]) => void;
}) {
  if (offered.length === 0) return null;
  return (
    <details>
      <summary className={styles.summary}>{label}</summary>
      <div className={styles.boxes}>
        {offered.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            disabled={!chosen.includes(id) && chosen.length >= max}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />
        ))}
      </div>
    </details>
  );
}
