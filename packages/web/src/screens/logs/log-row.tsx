import { Fragment, type ReactNode } from "react";
import { Row } from "../../ui/lists/rows.js";
import { showTime } from "../../ui/look/show.js";
import { UserName } from "../profile/user-name.js";

/** An entry of a log: actor, action, target and time. */
export function LogRow({
  action,
  target,
  actorId,
  time,
  phrases,
}: {
  action: string;
  /** Null if the text of the action names it. */
  target: ReactNode | null;
  actorId: string | null;
  time: string;
  phrases: readonly ReactNode[];
}) {
  return (
    <Row
      title={
        target === null ? (
          action
        ) : (
          <span>
            {action}: {target}
          </span>
        )
      }
      detail={
        <>
          <UserName userId={actorId} />
          {` · ${showTime(time)}`}
          {phrases.map((phrase, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the phrases of an entry do not change.
            <Fragment key={index}>
              {" · "}
              {phrase}
            </Fragment>
          ))}
        </>
      }
    />
  );
}
