import { readFileSync } from "node:fs";
import { join } from "node:path";
import { adminActions, auditActions } from "@parley/contracts";
import { expect, test } from "vitest";
import { auditLog } from "./english/audit-log.js";

interface Schema {
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
}
const file = join(import.meta.dirname, "../../../api-description/generated/openapi.json");
const { paths, components } = JSON.parse(readFileSync(file, "utf8"));

function propertiesOf({ properties = {}, anyOf = [], allOf = [], $ref }: Schema): Record<string, Schema> {
  const named: Schema[] = $ref === undefined ? [] : [components.schemas[$ref.replace(/^.*\//, "")]];
  return Object.assign({}, ...[...anyOf, ...allOf, ...named].map(propertiesOf), properties);
}

/** The details that an entry about a request has: those of an object within the body are joined with its name. */
const fieldsOf = (path: string): string[] =>
  Object.entries(propertiesOf(paths[path].patch.requestBody.content["application/json"].schema)).flatMap(
    ([name, schema]) => {
      const inner = Object.keys(propertiesOf(schema));
      return inner.length === 0 ? [name] : inner.map((each) => `${name}_${each}`);
    },
  );

test("every action of a log has a text", () => {
  expect(Object.keys(adminActions).filter((action) => !Object.hasOwn(auditLog.adminActions, action))).toEqual([]);
  expect(Object.keys(auditActions).filter((action) => !Object.hasOwn(auditLog.actions, action))).toEqual([]);
});

test("every field that administrators change has a label in their log", () => {
  const fields = ["/admin/settings", "/admin/servers/{id}", "/admin/users/{id}"].flatMap(fieldsOf);
  expect(fields).toEqual(expect.arrayContaining(["registration_approval", "quota_account", "require_second_factor"]));
  const others = ["cidr", "reason", "expires_at", "logo", "filename", "status", "note"];
  expect([...fields, ...others].filter((name) => !Object.hasOwn(auditLog.details, name))).toEqual([]);
});
