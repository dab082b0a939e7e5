import { parseArgs } from "node:util";
import { z } from "zod";

const Count = z.coerce.number().int().positive();

/** The options on the command line of `load`. */
export const LoadOptions = z.object({
  /** The edge of the installation, as a browser opens it. */
  url: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, "")),
  users: Count.default(100),
  /** Messages a second, in all servers together. */
  rate: z.coerce.number().positive().default(5),
  seconds: Count.default(30),
  /** Accounts in a server; each is in one. */
  "server-size": Count.default(100),
  /** The share of connections that show the channel that is written in. */
  viewing: z.coerce.number().min(0).max(1).default(1),
  /** An invite to a server of the installation, where registering needs one. */
  invite: z.string().optional(),
  /** Where processes of the installation serve their metrics. */
  metrics: z.array(z.url()).default([]),
  compression: z.boolean().default(true),
});
export type LoadOptions = z.infer<typeof LoadOptions>;

export const usage = `Usage: npm run bench -- load --url https://chat.example.com [--users 100] [--rate 5] [--seconds 30]
         [--server-size 100] [--viewing 1] [--invite CODE] [--metrics http://10.0.0.5:9090/metrics]... [--no-compression]
       npm run bench -- load --cleanup parley-load-….json`;

/** The task on the command line: a run, or the deletion of a killed run's accounts. */
export function readOptions(args: readonly string[]): LoadOptions | { cleanup: string } {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      url: text,
      users: text,
      rate: text,
      seconds: text,
      "server-size": text,
      viewing: text,
      invite: text,
      metrics: { type: "string", multiple: true },
      compression: { type: "boolean" },
      cleanup: text,
    },
  });
  if (values.cleanup !== undefined) return { cleanup: values.cleanup };
  return LoadOptions.parse(values);
}
