import { createAccountsFeature } from "../accounts/feature.js";
import { createApps } from "../apps/feature.js";
import { createCommunity } from "../community/feature.js";
import { createLeaveServer } from "../community/members/leave-server.js";
import { createDeleteServer } from "../community/servers/delete-server.js";
import { createConversations } from "../conversations/feature.js";
import { createLeaveGroups } from "../conversations/groups/leave.js";
import { createDesk } from "../desk/feature.js";
import { createNotices } from "../notices/feature.js";
import { createAccountDeletion } from "../operators/account-deletion/finish.js";
import { giveBack } from "../operators/account-recovery/give-back.js";
import { createOperators } from "../operators/feature.js";
import { createPeople } from "../people/feature.js";
import type { Base, Feature } from "../platform/feature.js";
import { lapsedReservations } from "../platform/files/quotas/repository.js";
import { createRules } from "../rules/feature.js";
import { createVoiceFeature } from "../voice/feature.js";
import { deleteFilesOfRows } from "./file-deletions/job.js";
import { trimLogs } from "./log-trimming/job.js";
import { deleteOrphanedFiles } from "./orphaned-files/job.js";
import { deleteOrphanedRows } from "./orphaned-rows/job.js";
import { pictureUploadRoutes } from "./picture-uploads/upload-routes.js";
import { createRegistrations } from "./registrations.js";
import { countStorage } from "./storage-counts/jobs.js";

/** The parts of all domains, joined. */
export type Features = Required<Feature>;

/** Every domain of the API, from the lowest: removing one means deleting its folder and its line here. */
export function createFeatures(base: Base): Features {
  const [leaveServer, deleteServer] = [createLeaveServer(base), createDeleteServer(base)];
  const leaveGroups = createLeaveGroups(base);
  const accountDeletion = createAccountDeletion({ ...base, leaveServer, deleteServer, leaveGroups });
  const registrations = createRegistrations(base.database);

  const people = createPeople(base);
  const voice = createVoiceFeature(base);
  const notices = createNotices(base);
  const rules = createRules(base);
  const accounts = createAccountsFeature(base, { users: people.users, accountDeletion, registrations, giveBack });
  const conversations = createConversations(base, { automod: rules.automod, followThread: notices.followThread });
  const community = createCommunity(base, {
    requirePassword: accounts.requirePassword,
    endUnentitledVoice: voice.endUnentitledVoice,
    leaveServer,
    deleteServer,
  });
  const desk = createDesk(base);
  const apps = createApps(base, { changeProfile: people.changeProfile, conversations });
  const operators = createOperators(base, { accountDeletion, deleteServer });
  const app: Feature = {
    routes: pictureUploadRoutes({
      pictures: people.pictures,
      users: people.users,
      servers: community.servers,
      bots: apps.bots,
      groups: conversations.groups,
      settings: operators.settings,
    }),
    jobs: [
      deleteOrphanedRows(base),
      deleteFilesOfRows(base),
      deleteOrphanedFiles(base),
      trimLogs(base.database),
      ...countStorage(base.database),
    ],
    expiries: [lapsedReservations],
  };
  const all: Feature[] = [
    people,
    voice,
    notices,
    rules,
    accounts,
    conversations,
    community,
    desk,
    apps,
    operators,
    app,
  ];
  return {
    routes: all.flatMap(({ routes }) => routes),
    jobs: all.flatMap(({ jobs = [] }) => jobs),
    expiries: all.flatMap(({ expiries = [] }) => expiries),
  };
}
