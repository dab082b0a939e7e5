import { ParleyError } from "@parley/client";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/start-texts.js";

/** Refusals that end once the user has a second factor. */
const factorCodes: readonly string[] = [
  "second_factor_to_moderate",
  "second_factor_to_demand",
  "second_factor_set_up_first",
];

/** The text of a failure, with the way to a second factor where the server demands one. */
export function explain(failure: unknown): ReactNode {
  const text = errorText(failure);
  if (!(failure instanceof ParleyError) || !factorCodes.includes(failure.code)) return text;
  return (
    <>
      {text} <Link href="/account/second-factor">{texts.common.setUpFactor}</Link>
    </>
  );
}
