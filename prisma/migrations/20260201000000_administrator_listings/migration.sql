-- When each name of PARLEY_ADMINS was listed: accounts that are younger get nothing by it. Rows stay when a name is no
-- longer listed, so that listing it again later grants nothing to who registered it meanwhile.
CREATE TABLE administrator_listings (
  username  text           NOT NULL,
  listed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT administrator_listings_pkey PRIMARY KEY (username)
);
