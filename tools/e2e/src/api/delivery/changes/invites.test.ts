import { Invite } from "@parley/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectTo } from "../../stages/lock-stage.js";
import { type ChangeStage, everyMember, heardBy, nothing, startChangeStage } from "./change-stage.js";

/** Spent invites that a server keeps (docs/protocol/communities.md#6.4). */
const keptMax = 1_000;
let stage: ChangeStage;

beforeAll(async () => {
  stage = await startChangeStage();
});
afterAll(() => stage?.connections.closeAll());

test("the end of spent invites that are no longer kept is announced to members with v=2 when another one is created", async () => {
  const { owner, serverId, stack, heard } = stage;
  const database = await connectTo(stack);
  const { rows } = await database.query(
    `INSERT INTO invites (server_id, code, expires_at, created_at)
      SELECT $1::uuid, substr(md5($1::text || n), 1, 8), now() - interval '1 day', now() - n * interval '1 hour'
      FROM generate_series(1, ${keptMax + 2}) n RETURNING id`,
    [serverId],
  );
  await database.end();
  const oldest = rows.slice(keptMax).map(({ id }) => id);
  const made = (await owner.post(`/servers/${serverId}/invites`, {})).expect(201, Invite);
  const { v1, v2 } = await heard();
  const isTrimmed = ([name]: readonly [string, unknown]) => name === "INVITE_DELETE";
  for (const person of everyMember) {
    expect(v1[person]).toEqual([["INVITE_CREATE", made]]);
    expect(v2[person].at(-1)).toEqual(["INVITE_CREATE", made]);
    const ids = v2[person].filter(isTrimmed).map(([, payload]) => Object(payload).invite_id);
    expect(ids.sort()).toEqual(oldest.sort());
  }
  expect(v1).toEqual(heardBy(everyMember, ["INVITE_CREATE", made]));
  expect(v2.stranger).toEqual(nothing.stranger);
});
