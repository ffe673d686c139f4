create index finding__advisory on finding (deployment_id, advisory) where advisory is not null;
