import type { DeleteServer } from "../community/servers/delete-server.js";
import type { Base, Feature } from "../platform/feature.js";
import type { AccountDeletion } from "./account-deletion/finish.js";
import { adminLogRoutes } from "./admin-log/routes.js";
import { adminServerRoutes } from "./administration/servers/routes.js";
import { createAdminServerService } from "./administration/servers/service.js";
import { statsRoutes } from "./administration/stats.js";
import { adminUserRoutes } from "./administration/users/routes.js";
import { createAdminUserService } from "./administration/users/service.js";
import { instanceSettingsRoutes } from "./instance-settings/routes.js";
import { createInstanceSettingsService } from "./instance-settings/service.js";
import { countMessages } from "./message-counts/job.js";

/** The pages of administrators, and the deletion of accounts. */
export function createOperators(
  base: Base,
  { accountDeletion, deleteServer }: { accountDeletion: AccountDeletion; deleteServer: DeleteServer },
): Feature {
  const { database, presence } = base;
  return {
    routes: [
      ...instanceSettingsRoutes(database, createInstanceSettingsService(base)),
      ...adminLogRoutes(database),
      ...adminUserRoutes(createAdminUserService({ ...base, accountDeletion })),
      ...adminServerRoutes(createAdminServerService({ database, deleteServer })),
      ...statsRoutes({ database, countConnections: presence.connectionCount }),
    ],
    jobs: [countMessages(database), accountDeletion.job],
  };
}
