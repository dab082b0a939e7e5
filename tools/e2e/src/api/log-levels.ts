import { type SharedStack, waitUntil } from "@parley/testing";

/** The severity of the line that an api has written about a request's failure; waits until it has. */
export async function levelOf(stack: SharedStack, answer: Headers): Promise<string | undefined> {
  const id = answer.get("x-request-id") ?? "";
  const line = await waitUntil(
    () =>
      stack
        .output()
        // A login has a line about its outcome besides.
        .find((each) => id !== "" && each.includes(`"request_id":"${id}"`) && !each.includes('"msg":"login"')),
    {
      what: "a log line about the request",
    },
  );
  return /"level":"(\w+)"/.exec(line)?.[1];
}
