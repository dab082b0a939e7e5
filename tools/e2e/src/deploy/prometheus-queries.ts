import type { SyntaxNode } from "@lezer/common";
import { parser } from "@prometheus-io/lezer-promql";

/** A series that a query reads: its metric, and the labels it asks for by name. */
export interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** The metrics that a PromQL expression reads and the labels by which it groups. Throws when it is not PromQL. */
export function readQuery(expression: string): { selectors: Selector[]; groupings: string[] } {
  // Grafana puts a duration there.
  const text = expression.replaceAll("$__rate_interval", "5m");
  const selectors: Selector[] = [];
  const groupings: string[] = [];
  const textOf = (node: SyntaxNode) => text.slice(node.from, node.to);
  parser.parse(text).iterate({
    enter: ({ node, type }) => {
      if (type.isError) throw new Error(`No PromQL at ${node.from}: ${expression}`);
      if (type.name === "VectorSelector") {
        const identifier = node.getChild("Identifier");
        const labels = namesBelow(node, "LabelName").map(textOf);
        selectors.push({ metric: identifier === null ? "" : textOf(identifier), labels });
      }
      if (type.name === "GroupingLabels") groupings.push(...namesBelow(node, "LabelName").map(textOf));
    },
  });
  return { selectors, groupings };
}

function namesBelow(node: SyntaxNode, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  node.cursor().iterate((below) => {
    if (below.name === name) found.push(below.node);
  });
  return found;
}

/** Names (those of histograms' series included) and label names in a Prometheus text. */
export function readExposition(text: string): { metrics: Set<string>; labels: Set<string> } {
  const metrics = new Set<string>();
  const labels = new Set<string>();
  for (const [, name = "", type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    metrics.add(name);
    if (type !== "histogram" && type !== "summary") continue;
    for (const part of ["_bucket", "_sum", "_count"]) metrics.add(`${name}${part}`);
  }
  for (const [, body = ""] of text.matchAll(/^\w+\{(.*)\} \S+$/gm)) {
    for (const [, label = ""] of body.matchAll(/(\w+)="/g)) labels.add(label);
  }
  return { metrics, labels };
}
