-- A request for an exception knows the decisions that answered it, so that undoing them lets it wait again.
alter table exception_request add column batch_id bigint;
