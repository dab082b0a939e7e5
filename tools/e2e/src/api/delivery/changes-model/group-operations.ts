import type { Answer } from "@parley/testing";
import type { ComparedDm } from "./lists.js";
import type { Operation, Scene } from "./scene.js";

const inGroup =
  (work: (scene: Scene, group: ComparedDm) => Promise<Answer>): Operation =>
  (scene) => {
    const group = scene.pick(Object.values(scene.lists.dms).filter(({ type }) => type === "group"));
    return group === undefined ? null : work(scene, group);
  };

const somebody = ({ pick, everybody }: Scene) => pick(everybody) ?? "";

/** The operations of users on groups (docs/protocol/conversations.md#28.2). */
export const groupOperations: Readonly<Record<string, readonly [number, Operation]>> = {
  openGroup: [
    2,
    ({ as, everybody, userId, number }) => {
      const others = everybody.filter((id) => id !== userId).slice(number % 2, (number % 2) + 2);
      return as.post("/dm-channels", { user_ids: others, name: `group ${number}` });
    },
  ],
  nameGroup: [2, inGroup(({ as, number }, { id }) => as.patch(`/dm-channels/${id}`, { name: `renamed ${number}` }))],
  addToGroup: [3, inGroup((scene, { id }) => scene.as.put(`/dm-channels/${id}/recipients/${somebody(scene)}`))],
  removeFromGroup: [2, inGroup((scene, { id }) => scene.as.delete(`/dm-channels/${id}/recipients/${somebody(scene)}`))],
  leaveGroup: [1, inGroup(({ as }, { id }) => as.delete(`/dm-channels/${id}/recipients/@me`))],
};
