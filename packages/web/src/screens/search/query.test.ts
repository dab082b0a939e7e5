import { describe, expect, test } from "vitest";
import { emptyQuery, finish, pendingFilter, requestOf, takeFilters, withChip } from "./query.js";

const typed = (text: string) => ({ ...emptyQuery, text });
const chip = (name: "from" | "in" | "before", value: string, id: string | null = null) => ({ name, value, id });

describe("the field of a search", () => {
  test.each([
    ["walnut from:an", { name: "from", value: "an", start: 7 }],
    ['SERVER:"Chess cl', { name: "server", value: "Chess cl", start: 0 }],
    ["in:", { name: "in", value: "", start: 0 }],
    ["from:ann ", null],
    ["http://example.org", null],
    ["login:ann", null],
  ])("the filter at the end of %j is found", (text, expected) => {
    expect(pendingFilter(text)).toEqual(expected);
  });

  test.each([
    ["walnut from:ann ", { chips: [chip("from", "ann")], text: "walnut " }],
    ['in:"off topic" walnut', { chips: [chip("in", "off topic")], text: "walnut " }],
    ["from:ann from:ann in:ge", { chips: [chip("from", "ann")], text: "in:ge" }],
    ["walnut from:an", typed("walnut from:an")],
    ["12:30 -walnut ", typed("12:30 -walnut ")],
  ])("complete filters of %j become chips", (text, expected) => {
    expect(takeFilters(typed(text))).toEqual(expected);
  });

  test("a filter that is being typed becomes a chip once it is finished, and words stay", () => {
    expect(finish(typed("walnut from:ann"))).toEqual({ chips: [chip("from", "ann")], text: "walnut " });
    expect(finish(typed('in:"off topic'))).toEqual({ chips: [chip("in", "off topic")], text: "" });
    expect(finish(typed("from:"))).toEqual(typed("from:"));
    expect(finish(typed("walnut"))).toEqual(typed("walnut"));
  });

  test("a chosen value takes the place of the filter that is being typed", () => {
    expect(withChip(typed("walnut from:an"), chip("from", "ann", "1"))).toEqual({
      chips: [chip("from", "ann", "1")],
      text: "walnut ",
    });
  });

  test("chosen people and places are asked for by their ids, everything else by its name", () => {
    const chips = [chip("from", "ann", "1"), chip("from", "ben", "2"), chip("in", "off topic"), chip("before", "7d")];
    expect(requestOf({ chips, text: "walnut has:" })).toEqual({ q: 'walnut in:"off topic" before:7d', from: "1,2" });
    expect(requestOf({ chips: [chip("from", "ann", "1")], text: "" })).toEqual({ q: "", from: "1" });
    expect(requestOf(typed(" from:an"))).toBeNull();
  });
});
