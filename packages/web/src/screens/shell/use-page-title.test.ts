import { expect, test } from "vitest";
import { emptyPage } from "../../state/page-state.js";
import { titleOf } from "./use-page-title.js";

test("names of pages that need no data", () => {
  expect(titleOf(emptyPage, "/")).toBe("Parley");
  expect(titleOf(emptyPage, "/dm")).toBe("Direct messages – Parley");
  expect(titleOf(emptyPage, "/account/profile")).toBe("My account – Parley");
  expect(titleOf(emptyPage, "/servers/1/channels/2")).toBe("Parley");
});
