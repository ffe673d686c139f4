-- For how long an exception is asked for, what its reviewer says, and the requests that wait.
alter table exception_request add column until timestamptz(3);
alter table exception_request add column review_note text;
create index exception_request__requested on exception_request (deployment_id, id) where state = 'requested';
