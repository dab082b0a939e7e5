import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type ESTree, parseSync, Visitor, type VisitorObject } from "vite";
import { expect, test } from "vitest";

const sources = join(import.meta.dirname, "..");
const filesWith = (ending: RegExp) =>
  readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((file) => ending.test(file));
/** The catalogues have all shown texts; tests quote them. */
const components = () =>
  filesWith(/\.tsx?$/).filter((file) => !/^texts\/|\.test\.tsx?$|sample-state/.test(file.replaceAll("\\", "/")));

/** Attributes and properties that people read or hear. */
const readAloud = new Set(["alt", "aria-description", "aria-label", "aria-roledescription", "hint", "label"]);
for (const name of ["aria-valuetext", "placeholder", "title"]) readAloud.add(name);
/** Addresses and @everyone are the same in all languages. */
const isWords = (text: string) => /\p{L}{2}/u.test(text) && !/^[/@]/.test(text);

/** The literal texts that an expression can have as its value. */
function literals(node: ESTree.Node): string[] {
  switch (node.type) {
    case "Literal":
      return typeof node.value === "string" ? [node.value] : [];
    case "TemplateLiteral":
      return node.quasis.map(({ value }) => value.raw);
    case "ConditionalExpression":
      return [...literals(node.consequent), ...literals(node.alternate)];
    case "LogicalExpression":
      return [...literals(node.left), ...literals(node.right)];
    case "JSXExpressionContainer":
      return literals(node.expression);
    default:
      return [];
  }
}

/** The faults of a source: words that no catalogue has, formats without the language, texts read too early. */
function findings(code: string, file: string): string[] {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed.`);
  const found: string[] = [];
  new Visitor({ ...wordsIn(found), ...languageIn(found) }).visit(program);
  return found.map((text) => `${file}: ${text.trim()}`);
}

function wordsIn(found: string[]): VisitorObject {
  const add = (texts: readonly string[]) => found.push(...texts.filter(isWords));
  const ofText = ({ value }: ESTree.JSXText) => add([value]);
  const ofElement = ({ children }: ESTree.JSXElement) =>
    add(children.flatMap((child) => (child.type === "JSXText" ? [] : literals(child))));
  const ofAttribute = ({ name, value }: ESTree.JSXAttribute) => {
    if (name.type === "JSXIdentifier" && readAloud.has(name.name) && value !== null) add(literals(value));
  };
  const ofProperty = ({ key, value }: Parameters<NonNullable<VisitorObject["Property"]>>[0]) => {
    if (key.type === "Identifier" && readAloud.has(key.name)) add(literals(value));
  };
  return { JSXText: ofText, JSXElement: ofElement, JSXAttribute: ofAttribute, Property: ofProperty };
}

function languageIn(found: string[]): VisitorObject {
  let depth = 0;
  const enter = () => {
    depth += 1;
  };
  const leave = () => {
    depth -= 1;
  };
  const ofNew = ({ callee, arguments: [first] }: ESTree.NewExpression) => {
    if (isNamed(callee, "InputError") && first !== undefined) found.push(...literals(first).filter(isWords));
    if (callee.type === "MemberExpression" && isNamed(callee.object, "Intl")) found.push("a format of its own");
  };
  const ofMember = ({ object, property }: ESTree.MemberExpression) => {
    if (depth === 0 && (isNamed(object, "texts") || isNamed(object, "formats"))) found.push("read before the language");
    const isFormat = property.type === "Identifier" && /^toLocale(?:Date|Time)?String$/.test(property.name);
    if (isFormat) found.push("a format of its own");
  };
  return {
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave,
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    NewExpression: ofNew,
    MemberExpression: ofMember,
  };
}

const isNamed = (node: ESTree.Node, name: string) => node.type === "Identifier" && node.name === name;

test("every text that people read is in the catalogues, and is read once the language is known", () => {
  // Times in it are compared, not read.
  const files = components().filter((file) => file !== "state/people/local-time.ts");
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => findings(readFileSync(join(sources, file), "utf8"), file))).toEqual([]);
});

test.each([
  ["text", "const A = () => <p>Hello</p>"],
  ["a choice of texts", "const A = () => <p>{isOn ? 'Hello' : null}</p>"],
  ["a label", 'const A = () => <button aria-label="Close" />'],
  ["a label of a menu", "const a = () => [{ label: 'Leave' }]"],
  ["an error", "const a = () => { throw new InputError('Too long'); }"],
  ["a format", "const a = () => new Intl.NumberFormat().format(1)"],
  ["a date", "const a = () => date.toLocaleDateString()"],
  ["a text read too early", "const { close } = texts.common"],
])("a text outside of the catalogues is found: %s", (_, code) => {
  expect(findings(code, "sample.tsx")).toHaveLength(1);
});

/** Properties and values that mean a side of the screen where they should mean a side of the writing. */
const physical = [
  /(?:^|[\s;{])(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)\b/,
  /(?:^|[\s;{])(?:left|right)\s*:/,
  /(?:text-align|float|clear)\s*:\s*(?:left|right)\b/,
  /border-(?:top|bottom)-(?:left|right)-radius/,
  /\bto (?:left|right)\b/,
  /translateX\(\s*-?[\d.]/,
  /(?:^|[\s;{])(?:margin|padding|border-(?:width|color|style))\s*:\s*\S+\s+(\S+)\s+\S+\s+(?!\1\s*;)[^\s;]+\s*;/,
];
const physicalIn = (css: string, file: string): string[] =>
  css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .split("\n")
    .flatMap((line) => (physical.some((rule) => rule.test(line)) ? [`${file}: ${line.trim()}`] : []));

test("styles follow the direction of the writing", () => {
  const files = filesWith(/\.css$/);
  expect(files.length).toBeGreaterThan(40);
  expect(files.flatMap((file) => physicalIn(readFileSync(join(sources, file), "utf8"), relative(".", file)))).toEqual(
    [],
  );
  const bad = [
    "margin-left: 4px;",
    "left: 0;",
    "text-align: right;",
    "padding: 0 1px 0 2px;",
    "transform: translateX(-50%);",
  ];
  for (const line of bad) expect(physicalIn(line, "sample.css")).toHaveLength(1);
  expect(physicalIn("padding: 0 1px 2px 1px;", "sample.css")).toEqual([]);
});
