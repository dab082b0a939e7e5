-- ARGV: lease. Releases it, so that the next `reap` removes its connections without waiting for an expiry.
revoke(ARGV[1]) return {}
