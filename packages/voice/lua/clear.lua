-- ARGV: "channel" or "server", its id. Ends the states in it.
for _, user in ipairs(usersIn(ARGV[1], ARGV[2])) do endState(loadState(user)) end
return changes
