import { dispatchFrame, type Resumed, type ResyncReason } from "@parley/contracts";
import { payloadOf, textFrameHeader } from "../connection/frame-header.js";
import { encodeTextFrame } from "../connection/frames.js";
import { cursorSeparator } from "../cursors/cursor.js";

/**
 * READY of a connection, in pieces: its payload may be large and is shared with other connections.
 *
 * @param frame READY without cursor and further keys
 * @param own.numbering whose cursor it carries
 * @param own.passive the servers that are passive for the connection; null for one that is sent everything
 */
export function readyFrame(
  frame: Buffer,
  own: {
    numbering: { firstPosition: string; sessionTag: Buffer } | null;
    resync: ResyncReason | null;
    passive: readonly string[] | null;
  },
): Buffer[] {
  const { numbering, resync, passive } = own;
  if (numbering === null && passive === null) return [frame];
  const reason = resync === null ? "" : `,"resync":"${resync}"`;
  const servers = passive === null ? "" : `,"passive":${JSON.stringify(passive)}`;
  const cursor = numbering === null ? "" : `,"s":"${numbering.firstPosition}${cursorSeparator}${numbering.sessionTag}"`;
  const end = Buffer.from(`${reason}${servers}}${cursor}}`);
  const start = payloadOf(frame).subarray(0, -2);
  return [textFrameHeader(start.length + end.length), start, end];
}

/** RESUMED, which ends a replay (docs/protocol/continuing.md#19.2). */
export function resumedFrame(payload: Resumed, numbering: { firstPosition: string; sessionTag: Buffer }): Buffer {
  const envelope = dispatchFrame("RESUMED", JSON.stringify(payload)).slice(0, -1);
  return encodeTextFrame(
    Buffer.from(`${envelope},"s":"${numbering.firstPosition}${cursorSeparator}${numbering.sessionTag}"}`),
  );
}
