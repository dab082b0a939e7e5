import type { ViewEffect, VisibilityBefore } from "@parley/contracts";
import { mayViewChannel } from "@parley/permissions";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChannelViewRule, type MemberView, type ViewRules } from "../hub/view-rules.js";
import { PastView } from "./past-view.js";

const [me, other] = ["a1", "a2"];
const roleIds = ["b1", "b2", "b3"];
const channelIds = ["c1", "c2"];
const effects: readonly ViewEffect[] = ["allow", "deny", "none"];

/** Who may view what: the roles of the member, those that hold ADMINISTRATOR, and by channel and target the overrides. */
interface State {
  roles: readonly string[];
  administrators: readonly string[];
  overrides: Readonly<Record<string, ViewEffect>>;
  owner: string;
}

const change = fc.oneof(
  fc.record({
    kind: fc.constant("role" as const),
    user: fc.constantFrom(me, other),
    role: fc.constantFrom(...roleIds),
  }),
  fc.record({ kind: fc.constant("administrator" as const), role: fc.constantFrom(...roleIds) }),
  fc.record({
    kind: fc.constant("override" as const),
    channel: fc.constantFrom(...channelIds),
    target: fc.constantFrom(me, other, ...roleIds),
    effect: fc.constantFrom(...effects),
  }),
  fc.record({ kind: fc.constant("deletion" as const), role: fc.constantFrom(...roleIds) }),
  fc.record({ kind: fc.constant("owner" as const), owner: fc.constantFrom(me, other, "a0") }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const toggled = (list: readonly string[], item: string) =>
  list.includes(item) ? list.filter((one) => one !== item) : [...list, item];
const effectOf = ({ overrides }: State, channel: string, target: string) => overrides[`${channel} ${target}`] ?? "none";

/** The state after a change, and what the event of it says. Assignments of a deleted role stay, as in the database. */
function apply(state: State, made: Change): { after: State; before: VisibilityBefore } {
  switch (made.kind) {
    case "role": {
      const isHeld = made.user === me ? state.roles.includes(made.role) : false;
      const after = made.user === me ? { ...state, roles: toggled(state.roles, made.role) } : state;
      return { after, before: { target: made.user, roles: { [made.role]: isHeld } } };
    }
    case "administrator": {
      const after = { ...state, administrators: toggled(state.administrators, made.role) };
      return { after, before: { target: made.role, administrator: state.administrators.includes(made.role) } };
    }
    case "override": {
      const { channel, target, effect } = made;
      const after = { ...state, overrides: { ...state.overrides, [`${channel} ${target}`]: effect } };
      return { after, before: { target, overrides: { [channel]: effectOf(state, channel, target) } } };
    }
    case "owner":
      return { after: { ...state, owner: made.owner }, before: { target: "d1", owner: state.owner } };
    case "deletion": {
      const { role } = made;
      const overrides = Object.fromEntries(channelIds.map((channel) => [channel, effectOf(state, channel, role)]));
      const after = {
        ...state,
        administrators: state.administrators.filter((one) => one !== role),
        overrides: {
          ...state.overrides,
          ...Object.fromEntries(channelIds.map((channel) => [`${channel} ${role}`, "none" as const])),
        },
      };
      return { after, before: { target: role, administrator: state.administrators.includes(role), overrides } };
    }
  }
}

/** As the gateway reads it. */
function viewOf(state: State): MemberView {
  const channels = new Map(
    channelIds.map((channel): [string, ChannelViewRule | null] => {
      const parts = [me, other, ...roleIds].flatMap((target) => {
        const effect = effectOf(state, channel, target);
        const letter = roleIds.includes(target) ? "r" : "u";
        if (effect === "none") return [];
        return [`${effect === "allow" ? letter.toUpperCase() : letter}${target}`];
      });
      return [channel, parts.length === 0 ? null : new ChannelViewRule(parts.join(" "))];
    }),
  );
  const rules: ViewRules = { ownerId: state.owner, administratorRoles: new Set(state.administrators), channels };
  return { userId: me, roles: state.roles, rules };
}

function mayView({ rules, roles, userId }: MemberView, channel: string): boolean {
  return mayViewChannel(rules, rules.channels.get(channel) ?? null, { id: userId, roles });
}

describe("a past view", () => {
  test("shows before every change what was visible then, whichever of the changes its start has already", () => {
    fc.assert(
      fc.property(
        fc.subarray(roleIds),
        fc.subarray(roleIds, { maxLength: 1 }),
        fc.array(change, { maxLength: 12 }),
        fc.nat(),
        (roles, administrators, made, start) => {
          const first: State = { roles, administrators, overrides: {}, owner: "a0" };
          const states = [first];
          const befores: VisibilityBefore[] = [];
          for (const one of made) {
            const { after, before } = apply(states.at(-1) ?? first, one);
            states.push(after);
            befores.push(before);
          }
          const startAt = start % states.length;
          const startState = states[startAt];
          if (startState === undefined) throw new Error("no state");
          const past = new PastView(viewOf(startState));
          for (let at = states.length - 1; at >= 0; at--) {
            const state = states[at];
            if (state !== undefined && at <= startAt) {
              const seen = channelIds.map((channel) => past.mayView(channel));
              expect(seen).toEqual(channelIds.map((channel) => mayView(viewOf(state), channel)));
            }
            const before = befores[at - 1];
            if (before !== undefined) past.undo(before);
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test("has no channel that was deleted", () => {
    const view = viewOf({ roles: [], administrators: [], overrides: {}, owner: "a0" });
    expect(new PastView(view).mayView("c9")).toBe(false);
  });
});
