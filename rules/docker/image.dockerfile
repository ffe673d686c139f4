FROM debian:12
# ok: parapet.docker.sudo
RUN apt-get install -y sudoku
# ruleid: parapet.docker.sudo
RUN sudo apt-get update
# ruleid: parapet.docker.sudo
RUN apt-get update && sudo apt-get install -y curl
# ok: parapet.docker.sudo
RUN echo "no pseudo rights"
# ruleid: parapet.docker.pipe-download-to-shell
RUN curl -fsSL https://get.example.com/install.sh | sh
# ruleid: parapet.docker.pipe-download-to-shell
RUN apt-get update && wget -qO- https://get.example.com/install.sh | bash -s -- --yes
# ok: parapet.docker.pipe-download-to-shell
RUN curl -fsSLO https://get.example.com/install.sh && sha256sum -c install.sh.sha256 && sh install.sh
# ok: parapet.docker.pipe-download-to-shell
RUN curl -fsSL https://get.example.com/tool.tar.gz | tar -xz -C /usr/local
# ruleid: parapet.docker.download-over-http
RUN wget http://get.example.com/tool.tar.gz
# ruleid: parapet.docker.download-over-http
ADD http://get.example.com/tool.tar.gz /opt/
# ok: parapet.docker.download-over-http
RUN wget https://get.example.com/tool.tar.gz
# ok: parapet.docker.download-over-http
RUN curl -f http://localhost:8080/health
# ruleid: parapet.docker.certificate-check-off
RUN curl -fsSLk https://get.example.com/tool -o /usr/bin/tool
# ruleid: parapet.docker.certificate-check-off
RUN wget --no-check-certificate https://get.example.com/tool
# ok: parapet.docker.certificate-check-off
RUN curl -fsSL https://get.example.com/tool -o /usr/bin/tool
# ok: parapet.docker.certificate-check-off
RUN pip install --no-cache-dir flask
# ruleid: parapet.docker.secret-in-environment
ENV DB_PASSWORD=correct-horse-1
# ruleid: parapet.docker.secret-in-environment
ARG API_KEY=0123456789abcdef
# ok: parapet.docker.secret-in-environment
ARG API_KEY
# ok: parapet.docker.secret-in-environment
ENV DB_PASSWORD_FILE=/run/secrets/db-password
# ok: parapet.docker.secret-in-environment
ENV DB_PASSWORD=$DB_PASSWORD
# ruleid: parapet.docker.world-writable-files
RUN chmod -R 777 /app
# ruleid: parapet.docker.world-writable-files
RUN mkdir /data && chmod a+rwx /data
# ok: parapet.docker.world-writable-files
RUN chmod 755 /usr/bin/tool
# ok: parapet.docker.world-writable-files
RUN chmod 777 /tmp
# ruleid: parapet.docker.ssh-server
RUN apt-get update && apt-get install -y curl openssh-server
# ruleid: parapet.docker.ssh-server
EXPOSE 22
# ok: parapet.docker.ssh-server
RUN apk add --no-cache openssh-client
# ok: parapet.docker.ssh-server
EXPOSE 8080
# ruleid: parapet.docker.private-key-copied
COPY id_rsa /root/.ssh/id_rsa
# ruleid: parapet.docker.private-key-copied
COPY config/.npmrc /root/.npmrc
# ok: parapet.docker.private-key-copied
COPY package.json package-lock.json ./
# ok: parapet.docker.private-key-copied
COPY id_rsa.pub /home/app/.ssh/authorized_keys
