-- Background work finds the deployments in which decisions have run out, and sees nothing else of findings.
create policy keeper on finding to parapet_keeper using (true) with check (false);
grant select (deployment_id, triage_until) on finding to parapet_keeper;
