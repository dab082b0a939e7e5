import { dispatchFrame, type Resumed, type ResyncReason } from "@parley/contracts";
import { encodeTextFrame, payloadOf, textFrameHeader } from "../connection/frames.js";
import { cursorSeparator } from "../cursors/cursor.js";

/**
 * READY of a numbered connection, in pieces: its payload may be large and is shared with other connections.
 *
 * @param frame READY without cursor
 * @param numbering whose cursor it carries
 */
export function numberedReady(
  frame: Buffer,
  numbering: { firstPosition: string; sessionTag: Buffer },
  resync: ResyncReason | null,
): Buffer[] {
  const payload = payloadOf(frame);
  const reason = resync === null ? "" : `,"resync":"${resync}"`;
  const end = Buffer.from(`${reason}},"s":"${numbering.firstPosition}${cursorSeparator}${numbering.sessionTag}"}`);
  const start = payload.subarray(0, -2);
  return [textFrameHeader(start.length + end.length), start, end];
}

/** RESUMED, which ends a replay (docs/interface.md#19.2). */
export function resumedFrame(payload: Resumed, numbering: { firstPosition: string; sessionTag: Buffer }): Buffer {
  const envelope = dispatchFrame("RESUMED", JSON.stringify(payload)).slice(0, -1);
  return encodeTextFrame(
    Buffer.from(`${envelope},"s":"${numbering.firstPosition}${cursorSeparator}${numbering.sessionTag}"}`),
  );
}
