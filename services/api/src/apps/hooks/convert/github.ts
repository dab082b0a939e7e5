import { addressOf, clip, fit, type PostedEmbed, type PostedMessage } from "@parley/archives";
import type { z } from "zod";
import { type GithubEvent, githubEvents } from "./github-events.js";

const colors = { good: "#2da44e", bad: "#cf222e", done: "#8250df", neutral: "#6e7781", note: "#bf8700" } as const;

/** Characters that a message shows of a text from GitHub. */
const excerptMax = 500;
const commitLineMax = 100;

const shown = new Set(["opened", "closed", "reopened"]);

const branchOf = (ref: string) => ref.replace(/^refs\/(?:heads|tags)\//, "");

function pushEmbed({ ref, compare, commits, repository, ...push }: GithubEvent<"push">): PostedEmbed {
  const what = ref.startsWith("refs/tags/") ? "Tag" : "Branch";
  const name = repository.full_name;
  if (push.deleted) return { title: `[${name}] ${what} deleted: ${branchOf(ref)}`, color: colors.bad };
  if (commits.count === 0) {
    const change = push.created ? "created" : push.forced ? "force-pushed" : "pushed";
    return { title: `[${name}] ${what} ${change}: ${branchOf(ref)}`, url: addressOf(compare), color: colors.neutral };
  }
  const lines = commits.shown.map(({ id, url, message, author }) => {
    const [first = ""] = message.split("\n", 1);
    return `[\`${id.slice(0, 7)}\`](${url}) ${clip(first, commitLineMax) ?? ""} – ${author.username ?? author.name}`;
  });
  const more = commits.count - lines.length;
  return {
    title: `[${name}:${branchOf(ref)}] ${commits.count} new ${commits.count === 1 ? "commit" : "commits"}`,
    url: addressOf(compare),
    description: [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n"),
    color: colors.neutral,
  };
}

function itemEmbed(
  kind: "Issue" | "Pull request",
  {
    action,
    item,
    repository,
  }: { action: string; repository: { full_name: string } } & {
    item: {
      number: number;
      title: string;
      html_url: string;
      body?: string | null | undefined;
      merged?: boolean | null | undefined;
    };
  },
): PostedEmbed | null {
  if (!shown.has(action)) return null;
  const change = action === "closed" && item.merged ? "merged" : action;
  return {
    title: `[${repository.full_name}] ${kind} ${change}: #${item.number} ${item.title}`,
    url: addressOf(item.html_url),
    description: action === "opened" ? clip(item.body, excerptMax) : undefined,
    color: change === "closed" ? colors.bad : change === "merged" ? colors.done : colors.good,
  };
}

function commentEmbed({ action, issue, comment, repository }: GithubEvent<"issue_comment">): PostedEmbed | null {
  if (action !== "created") return null;
  const kind = issue.pull_request ? "pull request" : "issue";
  return {
    title: `[${repository.full_name}] New comment on ${kind} #${issue.number}: ${issue.title}`,
    url: addressOf(comment.html_url),
    description: clip(comment.body, excerptMax),
    color: colors.neutral,
  };
}

function releaseEmbed({ action, release, repository }: GithubEvent<"release">): PostedEmbed | null {
  if (action !== "published") return null;
  return {
    title: `[${repository.full_name}] New release published: ${release.name || release.tag_name}`,
    url: addressOf(release.html_url),
    description: clip(release.body, excerptMax),
    color: colors.good,
  };
}

function starEmbed({ action, repository }: GithubEvent<"star">): PostedEmbed | null {
  if (action !== "created") return null;
  return { title: `[${repository.full_name}] New star`, url: addressOf(repository.html_url), color: colors.note };
}

function workflowEmbed({ action, workflow_run: run, repository }: GithubEvent<"workflow_run">): PostedEmbed | null {
  if (action !== "completed") return null;
  const { conclusion } = run;
  const color = conclusion === "success" ? colors.good : conclusion === "failure" ? colors.bad : colors.neutral;
  const branch = run.head_branch ? ` on ${run.head_branch}` : "";
  return {
    title: `[${repository.full_name}] ${run.name ?? "Workflow"} #${run.run_number}${branch}: ${conclusion ?? "completed"}`,
    url: addressOf(run.html_url),
    color,
  };
}

/** Reads a payload and makes its embed, under the name of the event's sender. */
function embedded<Z extends z.ZodType<{ sender: GithubEvent<"star">["sender"] }>>(
  schema: Z,
  payload: unknown,
  embedOf: (event: z.output<Z>) => PostedEmbed | null,
): PostedMessage | null {
  const { data } = schema.safeParse(payload);
  const embed = data === undefined ? null : embedOf(data);
  if (data === undefined || embed === null) return null;
  const { login, html_url, avatar_url } = data.sender;
  const author = { name: login, url: addressOf(html_url), icon_url: addressOf(avatar_url) };
  return fit({ embeds: [{ ...embed, author }] });
}

/**
 * Converts an event of GitHub's webhooks to a message here (docs/protocol/webhooks.md#25.5).
 *
 * @param event the header `X-GitHub-Event`
 * @param payload as it was sent
 * @returns null without a message: for another event or action, or a payload that is none of GitHub's
 */
export function convertGithub(event: string, payload: unknown): PostedMessage | null {
  switch (event) {
    case "push":
      return embedded(githubEvents.push, payload, pushEmbed);
    case "pull_request":
      return embedded(githubEvents.pull_request, payload, ({ pull_request: item, ...rest }) =>
        itemEmbed("Pull request", { item, ...rest }),
      );
    case "issues":
      return embedded(githubEvents.issues, payload, ({ issue: item, ...rest }) =>
        itemEmbed("Issue", { item, ...rest }),
      );
    case "issue_comment":
      return embedded(githubEvents.issue_comment, payload, commentEmbed);
    case "release":
      return embedded(githubEvents.release, payload, releaseEmbed);
    case "star":
      return embedded(githubEvents.star, payload, starEmbed);
    case "workflow_run":
      return embedded(githubEvents.workflow_run, payload, workflowEmbed);
    default:
      return null;
  }
}
