import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createCursors, type Position } from "./cursor.js";
import { PendingEvents } from "./pending-events.js";
import { Positions } from "./positions.js";

const cursors = createCursors(["0123456789abcdef0123456789abcdef"]);
const userId = randomUUID();
const sessionTag = cursors.writeSessionTag({ userId, memberships: 0, filter: 0, shown: null });

function createNode(subscriptions: number) {
  let highest = 0;
  const state = new Positions(cursors, { highWatermark: () => highest, highWatermarkId: () => "id" });
  const all = Array.from({ length: subscriptions }, (_, index) => new PendingEvents(`live.server.${index}.>`, state));
  const read = (text: string): Position | undefined => cursors.read(`${text}.${sessionTag}`, userId)?.position;
  return {
    state,
    all,
    receive(sequence: number) {
      highest = sequence;
    },
    text: (follows: (events: PendingEvents) => boolean = () => true, boundary = 0) =>
      state.position({ followed: () => all.filter(follows) }, boundary),
    position(follows: (events: PendingEvents) => boolean = () => true, boundary = 0) {
      return read(this.text(follows, boundary) ?? "");
    },
  };
}

describe("the position of a connection", () => {
  test("the position of a connection names the subscriptions whose events wait while others overtake them", () => {
    const node = createNode(2);
    const [slow, quick] = node.all;
    if (slow === undefined || quick === undefined) throw new Error("no subscriptions");
    node.receive(1);
    slow.wait(1);
    node.receive(2);
    quick.dispatched(2);
    expect(node.position()).toMatchObject({ highest: 2, pending: new Map([[slow.hash, 1]]) });
    node.receive(3);
    slow.wait(3);
    slow.dispatched(1);
    expect(node.position()).toMatchObject({ highest: 3, pending: new Map([[slow.hash, 3]]) });
    slow.dispatched(3);
    expect(node.position()).toMatchObject({ highest: 3, pending: new Map() });
  });

  test("the position of a connection follows a reading of the stream event by event", () => {
    const node = createNode(1);
    const [joined] = node.all;
    if (joined === undefined) throw new Error("no subscription");
    node.receive(9);
    joined.beginReading(4);
    node.receive(10);
    joined.wait(10);
    expect(node.position()?.pending).toEqual(new Map([[joined.hash, 4]]));
    joined.dispatched(6);
    expect(node.position()?.pending).toEqual(new Map([[joined.hash, 7]]));
    joined.endReading();
    expect(node.position()?.pending).toEqual(new Map([[joined.hash, 10]]));
  });

  test("the position of a connection does not name what a connection received otherwise before its boundary", () => {
    const node = createNode(2);
    const [early, late] = node.all;
    if (early === undefined || late === undefined) throw new Error("no subscriptions");
    early.wait(3);
    node.receive(8);
    late.wait(8);
    expect(node.position(undefined, 5)?.pending).toEqual(
      new Map([
        [early.hash, 6],
        [late.hash, 8],
      ]),
    );
    expect(node.position(undefined, 8)?.pending).toEqual(new Map());
  });

  test("the position of a connection names only the user's own subscriptions when there are too many; has no position when those are too many", () => {
    const node = createNode(40);
    node.receive(40);
    node.all.forEach((events, index) => {
      events.wait(index + 1);
    });
    const [own] = node.all;
    expect(node.position((events) => events === own)?.pending).toEqual(new Map([[own?.hash, 1]]));
    expect(node.text()).toBeNull();
  });

  test("the position of a connection knows no position while missed events are dispatched behind later ones", () => {
    const node = createNode(2);
    const [lossy, other] = node.all;
    node.receive(5);
    lossy?.beginUnordered();
    expect(node.position()?.pending).toBeNull();
    expect(node.position((events) => events === other)?.pending).toEqual(new Map());
    lossy?.endUnordered();
    expect(node.position()?.pending).toEqual(new Map());
  });

  test("the position of a connection forgets a subscription that ended", () => {
    const node = createNode(1);
    node.receive(2);
    node.all[0]?.wait(2);
    node.all[0]?.clear();
    expect(node.position()?.pending).toEqual(new Map());
  });
});
