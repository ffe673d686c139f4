FROM alpine:3.20 AS build
# ok: parapet.docker.root-user
USER root
RUN echo one
FROM debian:12
# ok: parapet.docker.root-user
USER app
RUN echo two
# ruleid: parapet.docker.root-user
USER root
