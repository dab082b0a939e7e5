import { expect, test } from "vitest";
import { errorTexts } from "./error-texts.js";
import { errorBody, errorCodeOf, errorCodes } from "./errors.js";

const textOf = (code: (typeof errorCodes)[number], value: number | string) => {
  const text = errorTexts[code];
  return typeof text === "string" ? text : String(Reflect.apply(text, undefined, [value]));
};

test("every text has one code of its own, in lower_snake_case, whatever values are in it", () => {
  for (const code of errorCodes) {
    expect(code).toMatch(/^[a-z]+(_[a-z0-9]+)*$/);
    for (const value of [1, 10_000, "x", "a.b (c)\nd"]) expect(errorCodeOf(textOf(code, value))).toBe(code);
  }
});

test("an error's body has its text twice, and its code", () => {
  expect(errorBody(errorTexts.server_not_found)).toEqual({
    error: "Server not found",
    message: "Server not found",
    code: "server_not_found",
  });
  expect(errorBody(errorTexts.roles_limit_reached(250)).code).toBe("roles_limit_reached");
  expect(errorBody("User is timed out").code).toBe("timed_out");
});
