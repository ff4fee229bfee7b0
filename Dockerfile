# First build server/target/mayfly.jar with `./mayfly version` or `mvn -Pprogram -pl server -am package`.
#   docker build -t mayfly .
# A server that keeps data and protects it:
#   docker run -p 27017:27017 -p 8081:8081 -e MAYFLY_COSMOS_KEY=... -v mayfly-data:/data mayfly
# An emulator for tests, in memory:
#   docker run -p 27017:27017 -p 8081:8081 -p 8080:8080 mayfly --emulator
FROM eclipse-temurin:25-jre
COPY mayfly docker-entrypoint server/target/mayfly.jar /opt/mayfly/
RUN useradd --system mayfly && mkdir /data && chown mayfly /data
ENV PATH="/opt/mayfly:$PATH"
USER mayfly
VOLUME /data
EXPOSE 27017 8081 8080
# Without --emulator, all clients of a container are remote, so they must log in: add a user with
# `mayfly users add` first.
# MAYFLY_MEMORY limits the memory. Default: 1 GiB, or three quarters of a smaller container limit.
ENTRYPOINT ["/opt/mayfly/docker-entrypoint"]
CMD ["serve", "--data", "/data", "--bind", "0.0.0.0"]
