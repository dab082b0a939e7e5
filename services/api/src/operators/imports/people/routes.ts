import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../../platform/http/input.js";
import { created, none, ok, type Route, route } from "../../../platform/http/route.js";
import { pageErrors, pageQuery } from "../../administration/page-schema.js";
import { ClaimedPerson, claimBody, codeBody, ImportCode, ImportPeople, ImportPerson } from "../core/schema.js";
import type { ImportPeopleService } from "./service.js";

const params = z.object({ id: identifier });
const personParams = params.extend({ person_id: identifier });
const { search: q, ...page } = pageQuery.shape;
const missing = [errorTexts.import_not_found, errorTexts.import_person_not_found];

export function importPeopleRoutes(people: ImportPeopleService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/admin/imports/:id/people",
        name: "admin.importPeople",
        tag: "administration",
        summary: "List the people of an import, those with most messages first",
        description: "`q`: part of the name, username or address, any case.",
        caller: "admin",
        params,
        query: z.object({ ...page, q }),
        success: ok(ImportPeople),
        errors: { invalid_input: pageErrors, not_found: [errorTexts.import_not_found] },
      },
      ({ params, query }) => people.list(params.id, query),
    ),
    route(
      {
        method: "post",
        path: "/admin/imports/:id/people/:person_id/claim",
        name: "admin.claimImportPerson",
        tag: "administration",
        summary: "Give the messages of a person to an account",
        description: "Roles of the person follow once the account is a member.",
        caller: "admin",
        causes: ["MEMBER_ROLE_ADD"],
        params: personParams,
        body: claimBody,
        success: ok(ImportPerson),
        errors: { not_found: [...missing, errorTexts.user_not_found], conflict: [errorTexts.import_person_claimed] },
      },
      ({ identity, params, body }) => people.claim(identity.userId, params, body.user_id),
    ),
    route(
      {
        method: "post",
        path: "/admin/imports/:id/people/:person_id/code",
        name: "admin.createImportCode",
        tag: "administration",
        summary: "Make a code by which somebody claims the messages of a person",
        description: "Shown once, good for seven days; a former one is good no more.",
        caller: "admin",
        causes: none("nobody but the administrator sees codes"),
        params: personParams,
        success: created(ImportCode),
        errors: { not_found: missing, conflict: [errorTexts.import_person_claimed] },
      },
      ({ identity, params }) => people.createCode(identity.userId, params),
    ),
    route(
      {
        method: "post",
        path: "/users/@me/claims",
        name: "users.claim",
        summary: "Claim the messages of a person of an archive by a code",
        description:
          "An administrator makes the code. The messages, reactions, mentions and pins become the caller's in steps.",
        caller: "user",
        attempts: { code: "counted" },
        causes: ["MEMBER_ROLE_ADD"],
        body: codeBody,
        success: ok(ClaimedPerson),
        errors: { not_found: [errorTexts.import_code_not_found], rate_limited: [errorTexts.rate_limited] },
      },
      ({ identity, body }) => people.claimByCode(identity.userId, body.code),
    ),
  ];
}
