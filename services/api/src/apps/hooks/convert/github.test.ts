import type {
  IssueCommentCreatedEvent,
  IssueCommentEditedEvent,
  IssuesLabeledEvent,
  IssuesReopenedEvent,
  PingEvent,
  PullRequestClosedEvent,
  PullRequestOpenedEvent,
  PullRequestSynchronizeEvent,
  PushEvent,
  ReleasePublishedEvent,
  StarCreatedEvent,
  StarDeletedEvent,
  WorkflowRunCompletedEvent,
  WorkflowRunRequestedEvent,
} from "@octokit/webhooks-types";
import { expect, test } from "vitest";
import { parse } from "../../../platform/http/route.js";
import { hookBody } from "../schema.js";
import { convertGithub } from "./github.js";

/** The parts of GitHub's payload that the conversion reads. */
type Part<Whole> = { [Key in keyof Whole]?: Part<Whole[Key]> };

const sender = {
  login: "octocat",
  id: 583231,
  avatar_url: "https://avatars.githubusercontent.com/u/583231",
  html_url: "https://github.com/octocat",
  type: "User",
} as const;
const repository = {
  id: 1296269,
  full_name: "octocat/Hello-World",
  html_url: "https://github.com/octocat/Hello-World",
};
const common = { repository, sender };
const html_url = "https://github.com/octocat/Hello-World/x/1347";
const commit = (n: number) => ({
  id: `${n}`.padStart(40, "0"),
  message: `Commit ${n}\n\nwith a body`,
  url: `https://github.com/octocat/Hello-World/commit/${n}`,
  author: { name: "The Octocat", email: "octocat@github.com", username: "octocat" },
});
const push = (fields: Part<PushEvent>): Part<PushEvent> => ({
  ...common,
  ref: "refs/heads/main",
  compare: html_url,
  commits: [],
  ...fields,
});
const pull_request = { number: 1347, title: "Amazing new feature", html_url, body: "Please pull", merged: false };
const issue = { number: 7, title: "Found a bug", html_url, body: null };
const run = { id: 1, name: "CI", head_branch: "main", conclusion: "failure", html_url, run_number: 562 } as const;

test.each<[event: string, payload: object, title: string | null, description?: string | undefined]>([
  [
    "push",
    push({ commits: [commit(1), commit(2)] }),
    "[octocat/Hello-World:main] 2 new commits",
    "[`0000000`](https://github.com/octocat/Hello-World/commit/1) Commit 1 – octocat\n" +
      "[`0000000`](https://github.com/octocat/Hello-World/commit/2) Commit 2 – octocat",
  ],
  ["push", push({ commits: [commit(1)] }), "[octocat/Hello-World:main] 1 new commit", expect.any(String)],
  ["push", push({ ref: "refs/tags/v1", created: true }), "[octocat/Hello-World] Tag created: v1"],
  ["push", push({ deleted: true }), "[octocat/Hello-World] Branch deleted: main"],
  ["push", push({ forced: true }), "[octocat/Hello-World] Branch force-pushed: main"],
  [
    "pull_request",
    { ...common, action: "opened", pull_request } satisfies Part<PullRequestOpenedEvent>,
    "[octocat/Hello-World] Pull request opened: #1347 Amazing new feature",
    "Please pull",
  ],
  [
    "pull_request",
    { ...common, action: "closed", pull_request } satisfies Part<PullRequestClosedEvent>,
    "[octocat/Hello-World] Pull request closed: #1347 Amazing new feature",
  ],
  [
    "pull_request",
    {
      ...common,
      action: "closed",
      pull_request: { ...pull_request, merged: true },
    } satisfies Part<PullRequestClosedEvent>,
    "[octocat/Hello-World] Pull request merged: #1347 Amazing new feature",
  ],
  [
    "pull_request",
    { ...common, action: "synchronize", pull_request } satisfies Part<PullRequestSynchronizeEvent>,
    null,
  ],
  [
    "issues",
    { ...common, action: "reopened", issue } satisfies Part<IssuesReopenedEvent>,
    "[octocat/Hello-World] Issue reopened: #7 Found a bug",
  ],
  ["issues", { ...common, action: "labeled", issue } satisfies Part<IssuesLabeledEvent>, null],
  [
    "issue_comment",
    {
      ...common,
      action: "created",
      issue,
      comment: { html_url, body: "Me too" },
    } satisfies Part<IssueCommentCreatedEvent>,
    "[octocat/Hello-World] New comment on issue #7: Found a bug",
    "Me too",
  ],
  [
    "issue_comment",
    {
      ...common,
      action: "edited",
      issue,
      comment: { html_url, body: "Me too" },
    } satisfies Part<IssueCommentEditedEvent>,
    null,
  ],
  [
    "release",
    {
      ...common,
      action: "published",
      release: { tag_name: "v1.0.0", html_url },
    } satisfies Part<ReleasePublishedEvent>,
    "[octocat/Hello-World] New release published: v1.0.0",
  ],
  [
    "star",
    { ...common, action: "created", starred_at: "2026-01-01T00:00:00Z" } satisfies Part<StarCreatedEvent>,
    "[octocat/Hello-World] New star",
  ],
  ["star", { ...common, action: "deleted", starred_at: null } satisfies Part<StarDeletedEvent>, null],
  [
    "workflow_run",
    { ...common, action: "completed", workflow_run: run } satisfies Part<WorkflowRunCompletedEvent>,
    "[octocat/Hello-World] CI #562 on main: failure",
  ],
  [
    "workflow_run",
    { ...common, action: "requested", workflow_run: run } satisfies Part<WorkflowRunRequestedEvent>,
    null,
  ],
  ["ping", { ...common, zen: "Design for failure." } satisfies Part<PingEvent>, null],
  ["push", { ...common }, null],
])("%s becomes %3$j", (event, payload, title, description) => {
  const message = convertGithub(event, payload);
  if (title === null) {
    expect(message).toBeNull();
    return;
  }
  const [embed] = message?.embeds ?? [];
  expect([embed?.title, embed?.description]).toEqual([title, description]);
  expect(embed?.author).toEqual({ name: "octocat", url: sender.html_url, icon_url: sender.avatar_url });
  expect(() => parse<typeof hookBody>(hookBody, message)).not.toThrow();
});

test("a push of very many commits and a very long comment keep every bound", () => {
  const many = convertGithub("push", push({ commits: Array.from({ length: 2_000 }, (_, n) => commit(n)) }));
  expect(many?.embeds?.[0]?.description).toContain("… and 1980 more");
  const comment = { html_url, body: "x".repeat(60_000) };
  for (const message of [many, convertGithub("issue_comment", { ...common, action: "created", issue, comment })]) {
    expect(() => parse<typeof hookBody>(hookBody, message)).not.toThrow();
  }
});
