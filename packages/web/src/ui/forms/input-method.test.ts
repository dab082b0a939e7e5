import { expect, test } from "vitest";
import { isInputMethodKey } from "./input-method.js";

test.each([
  ["while something is composed", { isComposing: true, keyCode: 13 }, true],
  ["in Safari, after the composition", { isComposing: false, keyCode: 229 }, true],
  ["in both ways", { isComposing: true, keyCode: 229 }, true],
  ["of the keyboard", { isComposing: false, keyCode: 13 }, false],
])("a key %s", (_what, event, isOfInputMethod) => {
  expect(isInputMethodKey(event)).toBe(isOfInputMethod);
});
