import { createRequire } from "node:module";
import type { WebhookDefinition } from "@octokit/webhooks-examples";
import type { KnownBlock, MessageAttachment } from "@slack/types";
import type { RESTPostAPIWebhookWithTokenJSONBody } from "discord-api-types/v10";

/** A post of another service to an incoming webhook, and the message that it becomes. */
export interface PostOfOthers {
  readonly from: string;
  /** Below the webhook's path. */
  readonly suffix: "" | "/slack" | "/github";
  readonly event?: string;
  readonly body: object;
  readonly becomes: object;
}

const discordPost = (from: string, body: RESTPostAPIWebhookWithTokenJSONBody, becomes: object): PostOfOthers => ({
  from,
  suffix: "",
  body,
  becomes,
});

/** As they are sent to Discord's webhooks. */
export const discordPosts: readonly PostOfOthers[] = [
  discordPost(
    "an alert manager",
    {
      content: "",
      username: "Alertmanager",
      tts: false,
      embeds: [
        {
          title: "[FIRING:1] HighLatency (api production)",
          description: "**p99 of the api above 500 ms for 10 minutes**",
          url: "https://alerts.example.com/#/alerts",
          color: 15_158_332,
          timestamp: "2026-03-01T12:00:00.000Z",
          fields: [
            { name: "instance", value: "api-3", inline: true },
            { name: "severity", value: "page", inline: true },
          ],
          footer: { text: "Prometheus" },
        },
      ],
    },
    {
      content: "",
      webhook: { name: "Alertmanager" },
      embeds: [
        {
          title: "[FIRING:1] HighLatency (api production)",
          color: "#e74c3c",
          timestamp: "2026-03-01T12:00:00.000Z",
          fields: [
            { name: "instance", value: "api-3", inline: true },
            { name: "severity", value: "page", inline: true },
          ],
          footer: { text: "Prometheus" },
        },
      ],
    },
  ),
  discordPost(
    "a shop",
    {
      username: "Orders",
      content: "New order **#1042** for @everyone to see",
      allowed_mentions: { parse: [] },
      embeds: [{ author: { name: "Ann" }, description: "2 × Chess clock\n1 × Board", color: 3_066_993 }],
    },
    {
      content: "New order **#1042** for @everyone to see",
      mention_everyone: false,
      embeds: [{ author: { name: "Ann" }, description: "2 × Chess clock\n1 × Board", color: "#2ecc71" }],
    },
  ),
];

/** Bodies that the types of Discord's and Slack's own libraries don't allow, and that programs send all the same. */
export const irregularPosts: readonly PostOfOthers[] = [
  {
    from: "a Gitea with default settings",
    suffix: "",
    body: {
      content: "",
      wait: false,
      username: "",
      avatar_url: "",
      tts: false,
      embeds: [
        {
          title: "[ann/chess:main] 1 new commit",
          description: "[6113728](https://git.example.com/ann/chess) Initial commit - ann",
          url: "",
          color: 1_752_220,
          footer: { text: "" },
          author: { name: "ann", url: "https://git.example.com/ann", icon_url: "" },
          fields: null,
        },
      ],
    },
    becomes: {
      content: "",
      webhook: { name: "Builds" },
      embeds: [{ title: "[ann/chess:main] 1 new commit", author: { name: "ann", icon_url: null }, footer: null }],
    },
  },
  {
    from: "a plugin that writes colours as digits",
    suffix: "",
    body: { embeds: [{ title: "Report", color: "10233776", footer: { text: "", icon_url: "" } }] },
    becomes: { embeds: [{ title: "Report", color: "#9c27b0" }] },
  },
  {
    from: "an error tracker that counts",
    suffix: "/slack",
    body: { text: 503, attachments: [{ title: "x", fields: [{ title: "Count", value: 1 }] }] },
    becomes: { content: "503", embeds: [{ title: "x", fields: [{ name: "Count", value: "1" }] }] },
  },
];

const slackPost = (
  from: string,
  body: { text?: string; username?: string; blocks?: KnownBlock[]; attachments?: MessageAttachment[] },
  becomes: object,
): PostOfOthers => ({ from, suffix: "/slack", body, becomes });

/** As they are sent to Slack's incoming webhooks. */
export const slackPosts: readonly PostOfOthers[] = [
  slackPost(
    "a monitoring service",
    {
      username: "Grafana",
      attachments: [
        {
          fallback: "[Alerting] Disk almost full",
          color: "danger",
          title: "[Alerting] Disk almost full",
          title_link: "https://grafana.example.com/d/disk",
          text: "`/var` of *db-1* has 4 % left",
          fields: [{ title: "Used", value: "96 %", short: true }],
          footer: "Grafana v11",
          ts: "1772366400",
        },
      ],
    },
    {
      content: "",
      webhook: { name: "Grafana" },
      embeds: [
        {
          title: "[Alerting] Disk almost full",
          url: "https://grafana.example.com/d/disk",
          description: "`/var` of **db-1** has 4 % left",
          color: "#a30200",
          timestamp: "2026-03-01T12:00:00.000Z",
          fields: [{ name: "Used", value: "96 %", inline: true }],
          footer: { text: "Grafana v11" },
        },
      ],
    },
  ),
  slackPost(
    "a deployment with blocks",
    {
      text: "Deployment done",
      blocks: [
        { type: "header", text: { type: "plain_text", text: "Deployment of 2.4.0" } },
        {
          type: "section",
          text: { type: "mrkdwn", text: "*Done* in 4 minutes, see <https://ci.example.com/42|run 42>" },
          fields: [
            { type: "mrkdwn", text: "*Stage:* production" },
            { type: "mrkdwn", text: "*By:* ann" },
          ],
        },
        { type: "divider" },
        { type: "context", elements: [{ type: "mrkdwn", text: "_3 services_, no migration" }] },
        {
          type: "actions",
          elements: [
            { type: "button", text: { type: "plain_text", text: "Roll back" }, url: "https://ci.example.com/42/back" },
          ],
        },
      ],
    },
    {
      content:
        "**Deployment of 2.4.0**\n**Done** in 4 minutes, see [run 42](https://ci.example.com/42)\n**Stage:** production\n" +
        "**By:** ann\n———\n*3 services*, no migration\n[Roll back](https://ci.example.com/42/back)",
    },
  ),
];

/** The examples of events that GitHub's maintainers publish. */
const githubExamples: readonly WebhookDefinition[] = createRequire(import.meta.url)("@octokit/webhooks-examples");

const githubPost = (event: string, fields: Record<string, unknown>, embed: object): PostOfOthers => {
  const examples: object[] = githubExamples.find(({ name }) => name === event)?.examples ?? [];
  const body = examples.find((example) =>
    Object.entries(fields).every(([key, value]) => Reflect.get(example, key) === value),
  );
  if (body === undefined) throw new Error(`No example of ${event}`);
  const becomes = { content: "", embeds: [{ author: { name: "Codertocat" }, ...embed }] };
  return { from: `GitHub at ${[event, ...Object.values(fields)].join(" ")}`, suffix: "/github", event, body, becomes };
};

/** As they are sent to addresses of GitHub's webhooks. */
export const githubPosts: readonly PostOfOthers[] = [
  githubPost(
    "push",
    { ref: "refs/heads/master", deleted: false },
    {
      title: "[Codertocat/Hello-World:master] 1 new commit",
      description:
        "[`6113728`](https://github.com/Codertocat/Hello-World/commit/6113728f27ae82c7b1a177c8d03f9e96e0adf246) Initial commit – Codertocat",
    },
  ),
  githubPost(
    "pull_request",
    { action: "opened" },
    {
      title: "[Codertocat/Hello-World] Pull request opened: #2 Update the README with new information.",
      description: "This is a pretty simple change that we need to pull into master.",
      url: "https://github.com/Codertocat/Hello-World/pull/2",
    },
  ),
  githubPost(
    "pull_request",
    { action: "closed" },
    { title: "[Codertocat/Hello-World] Pull request closed: #2 Update the README with new information." },
  ),
  githubPost(
    "issues",
    { action: "opened" },
    { title: "[Codertocat/Hello-World] Issue opened: #1 Spelling error in the README file" },
  ),
  githubPost(
    "issues",
    { action: "reopened" },
    { title: "[Codertocat/Hello-World] Issue reopened: #1 Spelling error in the README file" },
  ),
  githubPost(
    "issue_comment",
    { action: "created" },
    {
      title: "[Codertocat/Hello-World] New comment on issue #1: Spelling error in the README file",
      description: "You are totally right! I'll get this fixed right away.",
    },
  ),
  githubPost("release", { action: "published" }, { title: "[Codertocat/Hello-World] New release published: 0.0.1" }),
  githubPost("star", { action: "created" }, { title: "[Codertocat/Hello-World] New star" }),
  githubPost(
    "workflow_run",
    { action: "completed" },
    { title: "[Codertocat/Hello-World] Manually triggered workflow #36 on main: completed" },
  ),
];
