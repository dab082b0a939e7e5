import { expect, test } from "vitest";
import { accountName } from "./account-name.js";

test.each([
  ["ada.lind", "ada_lind"],
  ["Célia Nunes", "Celia_Nunes"],
  ["--Finn O'Shea--", "Finn_O_Shea"],
  ["мария", "user"],
  ["", "user"],
  ["x", "x1"],
  ["ﬁ²", "fi2"],
  ["an-account-name-that-is-longer-than-thirty-two.characters", "an_account_name_that_is_longer_t"],
  [`${"a".repeat(31)}-b`, "a".repeat(31)],
])("the account of %j begins with %j", (name, account) => {
  expect(accountName(name)).toBe(account);
});
