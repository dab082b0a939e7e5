import { type TestStack, waitUntil } from "@parley/testing";

/** The severity of the line that an api has written about a request; waits until it has. */
export async function levelOf(stack: TestStack, answer: Headers): Promise<string | undefined> {
  const id = answer.get("x-request-id") ?? "";
  const line = await waitUntil(
    () => stack.output().find((each) => id !== "" && each.includes(`"request_id":"${id}"`)),
    {
      what: "a log line about the request",
    },
  );
  return /"level":"(\w+)"/.exec(line)?.[1];
}
