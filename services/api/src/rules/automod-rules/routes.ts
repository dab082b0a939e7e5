import {
  AutomodRule,
  AutomodRuleMatches,
  errorTexts,
  rulesPerServerMax,
  ruleWordsPerServerMax,
} from "@parley/contracts";
import { z } from "zod";
import { ofServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { manageAutomod } from "../automod/access.js";
import { createRuleBody, testBody, updateRuleBody } from "./schema.js";
import { type AutomodRuleService, namedRule, toRule } from "./service.js";

const params = z.object({ id: identifier });
const ruleParams = params.extend({ rule_id: identifier });
const path = "/servers/:id/automod/rules";
const manager = ofServer(manageAutomod);
const managerOfRule = ofServer(manageAutomod, namedRule);
const invalid_input = [
  errorTexts.rule_trigger_invalid,
  errorTexts.rule_actions_invalid,
  errorTexts.rule_pattern_invalid("patterns[0]: missing closing ) at position 9"),
  errorTexts.rules_limit_reached(rulesPerServerMax),
  errorTexts.rule_words_too_many(ruleWordsPerServerMax),
  errorTexts.rule_patterns_too_large,
];
const addressOf = ({ id, rule_id }: z.infer<typeof ruleParams>) => ({ server_id: id, rule_id });

export function automodRuleRoutes(rules: AutomodRuleService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "automod.rules",
        summary: "List the server's own rules of auto-moderation, oldest first",
        caller: "account",
        params,
        may: manager,
        success: ok(z.array(AutomodRule)),
      },
      async ({ may }) => rules.list((await may.access()).serverId),
    ),
    route(
      {
        method: "post",
        path,
        name: "automod.addRule",
        summary: "Make a rule of auto-moderation",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params,
        may: manager,
        body: createRuleBody,
        success: created(AutomodRule),
        errors: { invalid_input },
      },
      ({ may, body }) => rules.create(may, body),
    ),
    route(
      {
        method: "post",
        path: `${path}/test`,
        name: "automod.testRules",
        summary: "Which enabled rules a text would match; nothing is stored",
        caller: "account",
        causes: none("nothing changes"),
        params,
        may: manager,
        body: testBody,
        success: ok(AutomodRuleMatches),
        errors: {
          invalid_input: [errorTexts.rule_test_content_length],
          unavailable: [errorTexts.automod_unavailable],
        },
      },
      async ({ may, body }) => rules.test((await may.access()).serverId, body.content),
    ),
    route(
      {
        method: "get",
        path: `${path}/:rule_id`,
        name: "automod.rule",
        summary: "Get a rule of auto-moderation",
        caller: "account",
        params: ruleParams,
        may: managerOfRule,
        success: ok(AutomodRule),
      },
      async ({ may }) => toRule((await may.access()).found),
    ),
    route(
      {
        method: "patch",
        path: `${path}/:rule_id`,
        name: "automod.updateRule",
        summary: "Change a rule of auto-moderation",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params: ruleParams,
        may: managerOfRule,
        body: updateRuleBody,
        success: ok(AutomodRule),
        errors: { invalid_input },
      },
      ({ may, params, body }) => rules.update(may, addressOf(params), body),
    ),
    route(
      {
        method: "delete",
        path: `${path}/:rule_id`,
        name: "automod.deleteRule",
        summary: "Delete a rule of auto-moderation",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params: ruleParams,
        may: managerOfRule,
        success: noContent(),
      },
      ({ may, params }) => rules.delete(may, addressOf(params)),
    ),
  ];
}
