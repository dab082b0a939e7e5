import type { Base, Feature } from "../platform/feature.js";
import { blockRoutes } from "./blocks/routes.js";
import { createBlockService } from "./blocks/service.js";
import { createChangePair } from "./friends/change-pair.js";
import { friendRoutes } from "./friends/routes.js";
import { createFriendService } from "./friends/service.js";
import { announceMembers } from "./member-announcements/job.js";
import { deleteReleasedPictures } from "./pictures/release-job.js";
import { pictureRoutes } from "./pictures/routes.js";
import { createPictures, type Pictures } from "./pictures/service.js";
import { endStatuses } from "./status-ends/job.js";
import { type ChangeProfile, createChangeProfile } from "./users/change-profile.js";
import { userRoutes } from "./users/routes.js";
import { createUserService, type UserService } from "./users/service.js";
import { accountStorageRoutes } from "./users/storage-routes.js";

/** Services for domains above. */
export interface People extends Feature {
  changeProfile: ChangeProfile;
  pictures: Pictures;
  users: UserService;
}

/** Accounts as others see them, friends, blocks and pictures. */
export function createPeople(base: Base): People {
  const { outbox, turns, storage } = base;
  const changeProfile = createChangeProfile(base);
  const changePair = createChangePair({ outbox, turns });
  const pictures = createPictures({ ...base, registry: base.metrics.registry });
  const users = createUserService({ ...base, changeProfile });
  return {
    changeProfile,
    pictures,
    users,
    routes: [
      ...userRoutes(users),
      ...accountStorageRoutes(base.database),
      ...friendRoutes(createFriendService({ ...base, changePair })),
      ...blockRoutes(createBlockService({ ...base, changePair })),
      ...pictureRoutes(pictures, storage),
    ],
    jobs: [deleteReleasedPictures(base), announceMembers(base), endStatuses(base)],
  };
}
