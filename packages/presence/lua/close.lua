-- ARGV: lease. Releases it, so that the next `expire-leases` removes its connections without waiting for an expiry.
expireLease(ARGV[1]) return {}
