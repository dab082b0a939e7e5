import {
  AutomodRule,
  AutomodRuleMatches,
  errorTexts,
  rulesPerServerMax,
  ruleWordsPerServerMax,
} from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { createRuleBody, testBody, updateRuleBody } from "./schema.js";
import type { AutomodRuleService } from "./service.js";

const params = z.object({ id: identifier });
const ruleParams = params.extend({ rule_id: identifier });
const path = "/servers/:id/automod/rules";
const errors = { not_found: [errorTexts.server_not_found], forbidden: [errorTexts.automod_owner_only] };
const ruleErrors = { ...errors, not_found: [errorTexts.server_not_found, errorTexts.rule_not_found] };
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
        success: ok(z.array(AutomodRule)),
        errors,
      },
      ({ identity, params }) => rules.list(identity.userId, params.id),
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
        body: createRuleBody,
        success: created(AutomodRule),
        errors: { ...errors, invalid_input },
      },
      ({ identity, params, body }) => rules.create(identity.userId, params.id, body),
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
        body: testBody,
        success: ok(AutomodRuleMatches),
        errors: {
          ...errors,
          invalid_input: [errorTexts.rule_test_content_length],
          unavailable: [errorTexts.automod_unavailable],
        },
      },
      ({ identity, params, body }) => rules.test(identity.userId, params.id, body.content),
    ),
    route(
      {
        method: "get",
        path: `${path}/:rule_id`,
        name: "automod.rule",
        summary: "Get a rule of auto-moderation",
        caller: "account",
        params: ruleParams,
        success: ok(AutomodRule),
        errors: ruleErrors,
      },
      ({ identity, params }) => rules.get(identity.userId, addressOf(params)),
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
        body: updateRuleBody,
        success: ok(AutomodRule),
        errors: { ...ruleErrors, invalid_input },
      },
      ({ identity, params, body }) => rules.update(identity.userId, addressOf(params), body),
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
        success: noContent(),
        errors: ruleErrors,
      },
      ({ identity, params }) => rules.delete(identity.userId, addressOf(params)),
    ),
  ];
}
