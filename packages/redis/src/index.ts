// A connection that survives outages and runs Lua scripts.
export { connectRedis, type RedisConnection } from "./connection.js";
// What bots asked for in vain, which two services read and write.
export { createMissingRoutes, type MissingRoutes } from "./missing-routes.js";
export { defineScript, readLua, type Script } from "./script.js";
// Rate limits shared by all processes.
export {
  type BucketFamily,
  botBuckets,
  createJointTake,
  createTokenBucket,
  type Take,
  type TokenBucket,
} from "./token-bucket.js";
