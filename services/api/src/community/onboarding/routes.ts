import { errorTexts, Member, Onboarding } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { answersBody, onboardingBody } from "./schema.js";
import { type OnboardingService, writeOnboarding } from "./service.js";

const params = z.object({ id: identifier });
const path = "/servers/:id/onboarding";

export function onboardingRoutes(onboarding: OnboardingService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "onboarding.get",
        tag: "servers",
        summary: "Read what a server shows and asks people who join",
        description: "Without channels that the caller may not view, unless they have MANAGE_SERVER.",
        caller: "account",
        params,
        may: inServer(),
        success: ok(Onboarding),
      },
      async ({ may }) => onboarding.get(await may.access()),
    ),
    route(
      {
        method: "put",
        path,
        name: "onboarding.put",
        tag: "servers",
        summary: "Write what a server shows and asks people who join",
        description:
          "Ids of questions and options that were read before keep them; others are made anew. Roles that moderate are " +
          "refused.",
        caller: "account",
        causes: ["AUDIT_LOG_ENTRY_CREATE"],
        params,
        may: inServer(writeOnboarding),
        body: onboardingBody,
        success: ok(Onboarding),
      },
      ({ may, body }) => onboarding.put(may, body),
    ),
    route(
      {
        method: "put",
        path: "/servers/:id/members/@me/onboarding",
        name: "onboarding.answer",
        tag: "servers",
        summary: "Answer the questions of a server",
        description: "The answers replace the earlier ones: what those alone gave is taken.",
        caller: "account",
        causes: [
          "MEMBER_UPDATE",
          "MEMBER_ROLE_ADD",
          "MEMBER_ROLE_REMOVE",
          "CHANNEL_OVERRIDE_UPDATE",
          "CHANNEL_OVERRIDE_DELETE",
          "VOICE_STATE_UPDATE",
          "GO_LIVE_STOP",
        ],
        params,
        may: inServer(),
        body: answersBody,
        success: ok(Member),
        errors: { conflict: [errorTexts.onboarding_disabled] },
      },
      ({ may, body }) => onboarding.answer(may, body.answers),
    ),
  ];
}
