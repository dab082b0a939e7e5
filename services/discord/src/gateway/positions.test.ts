import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Position, type SequenceRecord, Sequencer, type Translated } from "./positions.js";

/** Events of a stream, with the number of dispatches of each; a gateway does not send those without a cursor again. */
const streams = fc.array(fc.record({ dispatches: fc.nat(3), isDurable: fc.boolean() }), { maxLength: 30 });

const eventsOf = (stream: readonly { dispatches: number; isDurable: boolean }[]): Translated<string>[] =>
  stream.map(({ dispatches, isDurable }, at) => ({
    key: `event ${at}`,
    cursor: isDurable ? `cursor ${at}` : null,
    dispatches: Array.from({ length: dispatches }, (_each, index) => `${at}.${index}`),
  }));

/** The events that a gateway sends again behind a position. */
const replayOf = (events: readonly Translated<string>[], { cursor }: Position) =>
  events.slice(cursor === "" ? 0 : Number(cursor.split(" ")[1]) + 1).filter((event) => event.cursor !== null);

const newest = (records: readonly SequenceRecord[], sequence: number): Position =>
  records.findLast((record) => record.sequence <= sequence && record.position !== null)?.position ?? { cursor: "" };

describe("a session that is continued behind any of its numbers", () => {
  test("gets every durable dispatch that it lacks once, in order, numbered on", () => {
    fc.assert(
      fc.property(streams, fc.nat(100), (stream, cut) => {
        const events = eventsOf(stream);
        const { sent, records } = new Sequencer<string>(0, { cursor: "" }).number(events);
        const has = Math.min(cut, sent.length);
        const position = newest(records, has);
        const again = new Sequencer<string>(has, position).number(replayOf(events, position)).sent;
        const durable = new Set(events.flatMap(({ cursor, dispatches }) => (cursor === null ? [] : dispatches)));
        const lacks = sent.slice(has).map(({ dispatch }) => dispatch);
        expect(again.map(({ dispatch }) => dispatch)).toEqual(lacks.filter((dispatch) => durable.has(dispatch)));
        expect(again.map(({ sequence }) => sequence)).toEqual(again.map((_each, index) => has + index + 1));
      }),
    );
  });

  test("skips dispatches of an event that it has also when another server's event comes first", () => {
    const [first, second, other] = eventsOf([
      { dispatches: 1, isDurable: true },
      { dispatches: 2, isDurable: true },
      { dispatches: 1, isDurable: true },
    ]);
    const { records } = new Sequencer<string>(0, { cursor: "" }).number([first, second] as Translated<string>[]);
    const position = newest(records, 2);
    expect(position).toEqual({ cursor: "cursor 0", begun: { event: "event 1", dispatches: 1 } });
    const { sent } = new Sequencer<string>(2, position).number([other, second] as Translated<string>[]);
    expect(sent.map(({ dispatch }) => dispatch)).toEqual(["2.0", "1.1"]);
  });
});

test("an event without dispatches moves the position, and nothing else", () => {
  const sequencer = new Sequencer<string>(7, { cursor: "" });
  expect(sequencer.number(eventsOf([{ dispatches: 0, isDurable: true }]))).toEqual({
    sent: [],
    records: [],
    moved: true,
  });
  expect(sequencer.move(sequencer.position)).toEqual({ sequence: 7, position: { cursor: "cursor 0" } });
});
