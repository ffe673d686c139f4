-- Lists of findings in the order of relevance or of severity, from one range of an index for each product and status.
drop index finding__severity;
create index finding__severity on finding (deployment_id, product, status, severity, relevant_since, id);
drop index finding__rule;
create index finding__rule on finding (deployment_id, rule, relevant_since, id);
