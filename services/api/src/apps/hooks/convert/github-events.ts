import { listOf } from "@parley/contracts";
import { z } from "zod";

const user = z.object({ login: z.string(), html_url: z.string().nullish(), avatar_url: z.string().nullish() });
const repository = z.object({ full_name: z.string(), html_url: z.string().nullish() });
const common = z.object({ repository, sender: user });

const commit = z.object({
  id: z.string(),
  message: z.string(),
  url: z.string(),
  author: z.object({ name: z.string(), username: z.string().nullish() }),
});
/** All commits of a push are counted, and the first of them read. */
const commitsShownMax = 20;
const commits = z.preprocess(
  (all) => (Array.isArray(all) ? { count: all.length, shown: all.slice(0, commitsShownMax) } : all),
  z.object({ count: z.int(), shown: listOf(commit, { max: commitsShownMax }) }),
);
const item = z.object({ number: z.int(), title: z.string(), html_url: z.string(), body: z.string().nullish() });

/** The payloads that become messages, as far as they are shown, by the name of the event. */
export const githubEvents = {
  push: common.extend({
    ref: z.string(),
    compare: z.string(),
    commits,
    created: z.boolean().optional(),
    deleted: z.boolean().optional(),
    forced: z.boolean().optional(),
  }),
  pull_request: common.extend({
    action: z.string(),
    pull_request: item.extend({ merged: z.boolean().nullish() }),
  }),
  issues: common.extend({ action: z.string(), issue: item }),
  issue_comment: common.extend({
    action: z.string(),
    issue: item.extend({ pull_request: z.object({}).nullish() }),
    comment: z.object({ html_url: z.string(), body: z.string() }),
  }),
  release: common.extend({
    action: z.string(),
    release: z.object({
      tag_name: z.string(),
      name: z.string().nullish(),
      html_url: z.string(),
      body: z.string().nullish(),
    }),
  }),
  star: common.extend({ action: z.string() }),
  workflow_run: common.extend({
    action: z.string(),
    workflow_run: z.object({
      name: z.string().nullish(),
      head_branch: z.string().nullish(),
      conclusion: z.string().nullish(),
      html_url: z.string(),
      run_number: z.int(),
    }),
  }),
} as const;
export type GithubEvent<N extends keyof typeof githubEvents> = z.output<(typeof githubEvents)[N]>;
