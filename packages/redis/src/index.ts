// A connection that survives outages and runs Lua scripts.
export { connectRedis, type RedisConnection, type RedisLogger } from "./connection.js";
export { defineScript, type Script } from "./script.js";
// Rate limits shared by all processes, and their use below express-rate-limit.
export { createTokenBucket, type Take, type TokenBucket } from "./token-bucket.js";
export { createTokenBucketStore, type TokenBucketStore } from "./token-bucket-store.js";
