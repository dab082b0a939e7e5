-- ARGV: lease. Releases it: its connections are removed by the next reaping, at once.
revoke(ARGV[1]) return {}
