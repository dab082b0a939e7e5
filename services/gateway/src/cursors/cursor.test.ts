import { randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { channelMarks, createCursors, cursorLengthMax, hasMarks, type Position, type SessionTag } from "./cursor.js";

const secret = "0123456789abcdef0123456789abcdef";
const cursors = createCursors([secret]);
const userId = randomUUID();

function write(
  position: Position,
  sessionTag: Omit<SessionTag, "userId"> = { memberships: 7, filter: 0, shown: null },
  by = cursors,
  user = userId,
): string {
  return `${by.writePosition(position)}.${by.writeSessionTag({ userId: user, ...sessionTag })}`;
}

const position: Position = {
  highest: 1_234_567,
  anchor: 0xfedcba98,
  writtenAt: 1_790_000_000,
  pending: new Map([[2 ** 40 - 1, 1_234_000]]),
};

describe("a cursor", () => {
  test("a cursor says what was written, in at most 128 characters of the alphabet", () => {
    const u32 = fc.nat({ max: 2 ** 32 - 1 });
    const pendings = fc.uniqueArray(fc.tuple(fc.nat({ max: 2 ** 40 - 1 }), fc.nat({ max: 100_000 })), {
      maxLength: 6,
      selector: ([subscription]) => subscription,
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 100_000, max: 2 ** 52 }),
        u32,
        pendings,
        u32,
        u32,
        fc.option(fc.array(fc.uuid(), { maxLength: 20 })),
        (highest, anchor, list, memberships, filter, view) => {
          const writtenAt = anchor;
          const pending = new Map(list.map(([subscription, distance]) => [subscription, highest - distance]));
          const text = write(
            { highest, anchor, writtenAt, pending },
            { memberships, filter, shown: view && channelMarks(view) },
          );
          expect(text).toMatch(/^[A-Za-z0-9._~-]+$/);
          expect(text.length).toBeLessThanOrEqual(cursorLengthMax);
          expect(cursors.read(text, userId)).toEqual({
            position: { highest, anchor, writtenAt, pending },
            memberships,
            filter,
            shown: view && channelMarks(view),
          });
        },
      ),
    );
  });

  test("a cursor says of every channel in view that it was, of three it seems so of few others, of twenty of a third", () => {
    const foundOf = (count: number) => {
      const views = Array.from({ length: 60 }, () => Array.from({ length: count }, () => randomUUID()));
      for (const view of views) for (const id of view) expect(hasMarks(channelMarks(view), id)).toBe(true);
      const others = views.flatMap((view) =>
        Array.from({ length: 50 }, () => hasMarks(channelMarks(view), randomUUID())),
      );
      return others.filter(Boolean).length / others.length;
    };
    expect(foundOf(0)).toBe(0);
    expect(foundOf(3)).toBeLessThan(0.04);
    expect(foundOf(20)).toBeLessThan(0.5);
  });

  test("a cursor does not write more pending subscriptions than fit", () => {
    const pending = new Map(Array.from({ length: 20 }, (_, index) => [index, 1]));
    expect(cursors.writePosition({ highest: 2, anchor: 0, writtenAt: 0, pending })).toBeNull();
  });

  test("can say that the pending subscriptions are not known", () => {
    const text = write({ highest: 5, anchor: 6, writtenAt: 7, pending: null });
    expect(cursors.read(text, userId)?.position).toEqual({ highest: 5, anchor: 6, writtenAt: 7, pending: null });
  });

  test("a cursor is null when cut short, prolonged, or with any character changed", () => {
    const text = write(position);
    expect(cursors.read(text, userId)).not.toBeNull();
    for (let length = 0; length < text.length; length++) expect(cursors.read(text.slice(0, length), userId)).toBeNull();
    for (const more of ["A", ".", "=", " ", text]) expect(cursors.read(text + more, userId)).toBeNull();
    for (let at = 0; at < text.length; at++) {
      for (const character of "Az09._~-=") {
        if (text[at] === character) continue;
        expect(cursors.read(text.slice(0, at) + character + text.slice(at + 1), userId)).toBeNull();
      }
    }
  });

  test("a cursor is null for another user, another installation, and anything else", () => {
    expect(cursors.read(write(position), randomUUID())).toBeNull();
    expect(createCursors(["fedcba9876543210fedcba9876543210"]).read(write(position), userId)).toBeNull();
    const others = ["", ".", "..", "a.b", "x".repeat(10_240), randomBytes(60).toString("base64url"), "\u0000.\ud800"];
    for (const text of others) expect(cursors.read(text, userId)).toBeNull();
  });

  test("a cursor is still read while the secret is being changed", () => {
    const both = createCursors(["fedcba9876543210fedcba9876543210", secret]);
    expect(both.read(write(position), userId)).not.toBeNull();
    expect(cursors.read(write(position, undefined, both), userId)).toBeNull();
  });
});
