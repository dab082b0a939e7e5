import { randomUUID } from "node:crypto";
import { isUuid } from "@parley/contracts";
import { expect, test } from "vitest";
import { deliveryIdOf } from "./delivery-id.js";

const event = "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60";

test("a delivery id is the same for the same event and webhook, and another one for every other pair", () => {
  const [one, two] = [randomUUID(), randomUUID()];
  const other = "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f61";
  expect(deliveryIdOf(event, one)).toBe(deliveryIdOf(event, one));
  const ids = [event, other].flatMap((id) => [deliveryIdOf(id, one), deliveryIdOf(id, two)]);
  expect(new Set(ids).size).toBe(4);
});

test("a delivery id is a UUIDv7 of the event's time", () => {
  const id = deliveryIdOf(event, randomUUID());
  expect(isUuid(id)).toBe(true);
  expect(id).toMatch(/^0190a5b4-7c1d-7...-[89ab]/);
});
