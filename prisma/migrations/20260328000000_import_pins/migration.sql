-- Whether an archive has a message pinned: a newer archive brings a pin, and undoing leaves what was pinned here.
ALTER TABLE import_items ADD COLUMN pinned boolean;
