-- How many dependencies of each ecosystem a ref has is counted from the index alone.
drop index dependency__branch_id;
create index dependency__branch_id on dependency (deployment_id, branch_id, id) include (ecosystem);
