FROM debian:12
# ok: parapet.docker.root-user
USER root
USER 1000:1000
# ruleid: parapet.docker.root-user
USER 0:0
CMD ["server"]
